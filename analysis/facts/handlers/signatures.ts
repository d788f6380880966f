// Handlers known by their parameters alone: `(req, res, next)`, used as the framework intends. Their registration is in another file, or
// inside an unknown wrapper. Helpers that get the same objects run while a request waits, too.
import {
  GLOBAL_FILES,
  REQUEST_TYPE_IMPORTS,
  SIGNATURES,
  STEP_PACKAGES,
  type ParameterModel,
  type SignatureModel,
} from '../../../knowledge/handler-signatures.ts';
import { answersRequests } from '../../../knowledge/server-packages.ts';
import { isCall, isMember, memberName, parentOf, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import type { Binding } from '../bindings.ts';
import type { HandlerSources } from './handler.ts';
import { qualifierOf, typeNameOf } from './imports.ts';
import { endsItsServer } from './one-off-servers.ts';

const FUNCTION_TYPES = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ObjectMethod', 'ClassMethod'] as const;

const NAMES = new Set(SIGNATURES.flatMap((signature) => signature.parameters[0]?.names ?? []));
const REQUEST_NAMES = new Set(['req', 'request']);
const RESPONSE_NAMES = new Set(['res', 'response', 'resp', 'reply', 'rep', 'h', 'toolkit']);
const CONTEXT_NAMES = new Set(['ctx', 'context', 'c', 'event']);

/** Code of a worker or a child process: its request and response are any data it was sent, unless they are registered with a server. */
const WORKER_FILE = /\/worker\.[cm]?[jt]s$/;

export interface SignatureMatch {
  fn: FunctionNode;
  signature: Pick<SignatureModel, 'framework' | 'kind'>;
}

/** The name of a parameter without the underscores that mark it as unused. */
export function parameterName(parameter: Node | undefined): string | undefined {
  const node =
    parameter?.type === 'AssignmentPattern' ? parameter.left : parameter?.type === 'TSParameterProperty' ? parameter.parameter : parameter;
  if (node?.type !== 'Identifier') return undefined;
  const { name } = node;
  // Checked several times for every function, and few names have underscores.
  return name.startsWith('_') || name.endsWith('_') ? name.replace(/^_+|(?<!_)_+$/g, '') || '_' : name;
}

/**
 * What the parameter names of a function in a handler's position say: `pair` for request and response, `request` or `context` for one of
 * them.
 */
export function handlerLook(fn: FunctionNode): 'pair' | 'request' | 'context' | 'none' | 'other' {
  const names = fn.params.map(parameterName);
  if (names.length === 0) return 'none';
  if (isPair(names[0], names[1])) return 'pair';
  // An error handler has all four. A client's callback also has `(err, req, res)`.
  if (names.length === 4 && isPair(names[1], names[2]) && /^(?:next|done|cb|callback)?$/.test(names[3] ?? '')) return 'pair';
  const [first = '', second = ''] = [names[0], names[1]];
  if (REQUEST_NAMES.has(first)) return 'request';
  if (CONTEXT_NAMES.has(first) && (names.length === 1 || second === 'next')) return 'context';
  return 'other';
}

function isPair(first: string | undefined, second: string | undefined): boolean {
  return first !== undefined && second !== undefined && RESPONSE_NAMES.has(second) && (first === '_' || /^(?:req|request)/i.test(first));
}

export function findBySignature(
  sources: HandlerSources,
  isKnown: (fn: FunctionNode) => boolean,
  isExported: (fn: FunctionNode) => boolean,
): SignatureMatch[] {
  const found: SignatureMatch[] = [];
  const file = sources.file.replaceAll('\\', '/');
  if (WORKER_FILE.test(file) || isGlobalFile(file, sources) || isChildProcess(sources)) return found;
  const signatures = SIGNATURES.filter((signature) => !signature.file || signature.file.test(file));
  const typed = requestTypesOf(sources);
  for (const type of FUNCTION_TYPES) {
    for (const fn of sources.module.nodes(type)) {
      if (fn.params.length === 0 || isKnown(fn)) continue;
      const isNamedSo = mayMatch(fn);
      if (!isNamedSo && typed.size === 0) continue;
      const signature =
        (isNamedSo
          ? signatures.find((candidate) => matches(fn, candidate, sources) && (!candidate.exportedOnly || isExported(fn)))
          : undefined) ?? byTypes(fn, typed);
      if (signature && !endsItsServer(fn, sources.bindings) && !isStep(fn, sources) && !isOfClient(fn, sources))
        found.push({ fn, signature });
    }
  }
  return found;
}

/** `vasync.pipeline({ arg, funcs: [function load(ctx, next) { … }] })` */
function isStep(fn: FunctionNode, { origins }: HandlerSources): boolean {
  let at: Node | undefined = parentOf(fn);
  while (at && (at.type === 'ArrayExpression' || at.type === 'ObjectExpression' || at.type === 'ObjectProperty')) at = parentOf(at);
  if (!isCall(at) || at.callee === fn) return false;
  return Object.hasOwn(STEP_PACKAGES, origins.moduleMember(at.callee)?.module ?? '');
}

/** `http.get(url, (req, res) => …)`: the callback of a client, which is given the response, whatever its parameters are called. */
function isOfClient(fn: FunctionNode, { origins }: HandlerSources): boolean {
  let at: Node | undefined = parentOf(fn);
  while (at?.type === 'ParenthesizedExpression') at = parentOf(at);
  if (!isCall(at) || at.callee === fn) return false;
  const member = origins.moduleMember(at.callee);
  return member !== undefined && /^https?$/.test(member.module) && /^(?:get|request)$/.test(member.path[0] ?? '');
}

function isGlobalFile(file: string, { dependencies }: HandlerSources): boolean {
  return GLOBAL_FILES.some(({ dependency, folder }) => file.includes(`/${folder}/`) && dependencies.has(dependency));
}

/** The program of a forked process: it reads messages of the process that started it, answers them, and has no server. */
function isChildProcess({ module }: HandlerSources): boolean {
  let [listens, sends] = [false, false];
  for (const { callee, arguments: args } of module.nodes('CallExpression')) {
    if (!isMember(callee) || callee.object.type !== 'Identifier' || callee.object.name !== 'process') continue;
    const name = memberName(callee);
    listens ||= name === 'on' && args[0]?.type === 'StringLiteral' && args[0].value === 'message';
    sends ||= name === 'send';
  }
  return listens && sends && [...module.importedModules()].every((name) => !answersRequests(name.replace(/^node:/, '')));
}

type TypedModel = (typeof REQUEST_TYPE_IMPORTS)[number];

/** Local names of packages and types that stand for a request, a message or a related object. */
function requestTypesOf({ module }: HandlerSources): ReadonlyMap<string, TypedModel> {
  const typed = new Map<string, TypedModel>();
  for (const node of module.nodes('ImportDeclaration')) {
    const from = node.source.value.replace(/^node:/, '');
    const models = REQUEST_TYPE_IMPORTS.filter(({ packages }) => packages.includes(from));
    if (models.length === 0) continue;
    for (const specifier of node.specifiers) {
      const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : undefined;
      const model = models.find(({ types }) => name === undefined || types.test(name));
      if (model) typed.set(specifier.local.name, model);
    }
  }
  return typed;
}

function nameOf(node: t.Identifier | t.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}

/** `(ctx: RouterContext, _: Next)`, `(request: express.Request)` */
function byTypes(fn: FunctionNode, typed: ReadonlyMap<string, TypedModel>): Pick<SignatureModel, 'framework'> | undefined {
  if (typed.size === 0 || (fn.type === 'ClassMethod' && fn.kind !== 'method')) return undefined;
  for (const parameter of fn.params) {
    const identifier = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
    if (identifier.type !== 'Identifier') continue;
    const qualifier = qualifierOf(identifier.typeAnnotation);
    const name = typeNameOf(identifier.typeAnnotation);
    const model = name === undefined ? undefined : typed.get(qualifier ?? name);
    if (model && name !== undefined && (qualifier === undefined || model.types.test(name))) return model;
  }
  return undefined;
}

function mayMatch(fn: FunctionNode): boolean {
  if (fn.type === 'ClassMethod' && fn.kind !== 'method') return false;
  return fn.params.some((parameter) => NAMES.has(parameterName(parameter) ?? '')) || fn.params.slice(0, -1).some(isUnused);
}

function matches(fn: FunctionNode, signature: SignatureModel, sources: HandlerSources): boolean {
  const { parameters } = signature;
  const last = fn.params.length - parameters.length;
  if (last < 0) return false;
  for (let at = 0; at <= (signature.at === 'start' ? 0 : last); at++) {
    if (signature.exact && fn.params.length > at + parameters.length) return false;
    const bindings: Binding[] = [];
    // `(_, res)`, `(error, _, res, next)`
    const mayBeUnused = at === 0 || (at === 1 && isError(fn.params[0] as Node));
    if (!parameters.every((parameter, i) => isNamed(fn.params[at + i] as Node, parameter, mayBeUnused))) continue;
    let isUsed = false;
    parameters.forEach((parameter, i) => {
      const binding = bindingOf(fn.params[at + i] as Node, sources);
      if (!binding) return;
      bindings.push(binding);
      if (i > 0 && signature.usesFirst) return;
      isUsed ||= sources.bindings.references(binding).some((identifier) => showsUse(identifier, parameter));
    });
    // After other parameters, a pair that is only forwarded may be anything.
    if (
      isUsed ||
      (signature.countsForwarding &&
        (at === 0 || (at === 1 && isError(fn.params[0] as Node))) &&
        bindings.length === parameters.length &&
        arePassedOn(bindings, sources))
    )
      return true;
  }
  return false;
}

function isError(parameter: Node): boolean {
  return /^(?:e|err|error|ex|exception)$/.test(parameterName(parameter) ?? '');
}

function isUnused(parameter: Node): boolean {
  return parameterName(parameter) === '_';
}

function isNamed(parameter: Node, model: ParameterModel, mayBeUnused: boolean): boolean {
  const name = parameterName(parameter);
  if (name === undefined || !(model.names.includes(name) || (mayBeUnused && model.mayBeUnused && isUnused(parameter)))) return false;
  const identifier = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  const type = identifier.type === 'Identifier' ? typeNameOf(identifier.typeAnnotation) : undefined;
  return type === undefined || model.types.test(type);
}

function showsUse(identifier: t.Identifier, model: ParameterModel): boolean {
  const parent = parentOf(identifier);
  if (!parent) return false;
  if (isCall(parent) && parent.callee === identifier) return model.called === true;
  if (parent.type === 'VariableDeclarator' && parent.init === identifier && parent.id.type === 'ObjectPattern') {
    // `const { body, params } = req`
    return parent.id.properties.some(
      (property) => property.type === 'ObjectProperty' && property.key.type === 'Identifier' && model.reads?.includes(property.key.name),
    );
  }
  if (!isMember(parent) || parent.object !== identifier) return false;
  const name = memberName(parent);
  if (name === undefined) return false;
  const user = parentOf(parent);
  if (user?.type === 'AssignmentExpression' && user.left === parent) return Boolean(model.writes?.includes(name));
  if (isCall(user) && user.callee === parent) {
    if (model.calls?.includes(name)) return true;
    return user.arguments.length > 0 && Boolean(model.callsWithArguments?.includes(name));
  }
  return Boolean(model.reads?.includes(name));
}

function bindingOf(parameter: Node, { bindings }: HandlerSources): Binding | undefined {
  const identifier = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return identifier.type === 'Identifier' ? bindings.lookUp(identifier.name, identifier) : undefined;
}

/** Whether one call gets all of the parameters: `proxy.web(req, res)`. */
function arePassedOn([first, ...others]: readonly Binding[], { bindings }: HandlerSources): boolean {
  if (!first) return false;
  return bindings.references(first).some((identifier) => {
    const call = parentOf(identifier);
    if (!isCall(call) || call.callee === identifier) return false;
    return others.every((other) =>
      call.arguments.some(
        (argument) => argument.type === 'Identifier' && argument.name === other.name && bindings.resolve(argument) === other,
      ),
    );
  });
}
