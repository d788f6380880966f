// Whether a request sent a value. It is followed through variables, patterns, helpers of the same file and conversions, starting at the
// parameters of a handler.
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';

/** `text` only follows what keeps the text (a number made from it is no longer text), `any` also follows numbers. */
export type Wanted = 'text' | 'any';

/** Members of a request, a context or an event that contain what the client sent. */
const SENT: ReadonlySet<string> = new Set([
  'query',
  'params',
  'param',
  'body',
  'rawBody',
  'headers',
  'header',
  'get',
  'cookies',
  'cookie',
  'url',
  'originalUrl',
  'path',
  'querystring',
  'search',
  'searchParams',
  'hostname',
  'host',
  'payload',
  'fields',
  'request',
  'req',
  'input',
  'data',
  'text',
  'json',
  'formData',
  'queryStringParameters',
  'pathParameters',
  'multiValueQueryStringParameters',
  'rawPath',
  'rawQueryString',
  'message',
  'args',
  'nextUrl',
  'href',
  'pathname',
]);
const REQUEST_NAME = /^_?(?:req|request|ctx|context|c|event|evt|httpReq|httpRequest|rq)$/;
const DECORATORS = /^(?:Body|Query|Param|Params|Headers|HeaderParam|QueryParam|QueryParams|BodyParam|Args|Arg|MessageBody|Payload)$/;

/** Methods whose result contains their receiver. */
const KEEPING =
  /^(?:toString|trim|trimStart|trimEnd|toLowerCase|toUpperCase|toLocaleLowerCase|toLocaleUpperCase|normalize|replace|replaceAll|concat|valueOf|get|getAll|join|at|pop|shift|split|filter|find|map|reverse|flat|slice|substring|substr)$/;
const TEXT_MAKERS =
  /^(?:String|Buffer\.concat|decodeURIComponent|decodeURI|encodeURIComponent|unescape|JSON\.parse|JSON\.stringify|Object\.(?:keys|values|entries|assign|fromEntries))$/;
const NUMBER_MAKERS =
  /^(?:Number|parseInt|parseFloat|BigInt|Number\.parse(?:Int|Float)|Math\.(?:abs|floor|ceil|round|trunc|sqrt|max|pow))$/;
const PARSERS: readonly (readonly [module: string, name: string])[] = [
  ['url', 'parse'],
  ['querystring', 'parse'],
  ['qs', 'parse'],
  ['qs', ''],
  ['lodash', 'get'],
  ['lodash', 'trim'],
];

// The longest chain of variables and calls to follow.
const MAX_STEPS = 10;

export class RequestData {
  readonly #facts: Facts;
  readonly #wanted: Wanted;
  readonly #inProgress = new Set<Binding>();
  /** The member of the request in which the value came: `body`, `query`; undefined where that is not known. */
  member: string | undefined;

  constructor(facts: Facts, wanted: Wanted) {
    this.#facts = facts;
    this.#wanted = wanted;
  }

  isSent(expression: Node, steps = 0): boolean {
    if (steps > MAX_STEPS) return false;
    const node = unwrap(expression);
    switch (node.type) {
      case 'Identifier':
        return this.#isSentVariable(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#isSentMember(node, steps);
      case 'AwaitExpression':
        return this.isSent(node.argument, steps + 1);
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#isSentCall(node, steps);
      case 'NewExpression':
        return (
          this.#facts.origins.isGlobal(node.callee, 'URL') && node.arguments[0] !== undefined && this.isSent(node.arguments[0], steps + 1)
        );
      case 'LogicalExpression':
        return this.isSent(node.left, steps + 1) || this.isSent(node.right, steps + 1);
      case 'ConditionalExpression':
        return this.isSent(node.consequent, steps + 1) || this.isSent(node.alternate, steps + 1);
      case 'AssignmentExpression':
        return this.isSent(node.right, steps + 1);
      case 'TemplateLiteral':
        return node.expressions.some((part) => this.isSent(part, steps + 1));
      case 'UnaryExpression':
        return this.#wanted === 'any' && /^[-+~]$/.test(node.operator) && this.isSent(node.argument, steps + 1);
      case 'BinaryExpression':
        // The results of `%`, shifts and masks are small.
        if (node.operator === '+') return this.isSent(node.left, steps + 1) || this.isSent(node.right, steps + 1);
        return (
          this.#wanted === 'any' &&
          /^(?:\*\*?|-|\/)$/.test(node.operator) &&
          (this.isSent(node.left, steps + 1) || (node.operator !== '/' && this.isSent(node.right, steps + 1)))
        );
      default:
        return false;
    }
  }

  #isSentMember(node: t.MemberExpression | t.OptionalMemberExpression, steps: number): boolean {
    const name = memberName(node);
    // The length of a list or text is limited by the size of a request.
    if (name === 'length' || name === 'size') return false;
    const object = unwrap(node.object);
    if (object.type === 'Identifier') {
      const kind = this.#requestKind(this.#facts.bindings.resolve(object));
      if (kind === 'request') return this.#isMember(name);
      if (kind === 'data') return true;
    }
    // `ctx.request.body`, `ctx.state.user`
    if (
      isMember(object) &&
      object.object.type === 'Identifier' &&
      this.#requestKind(this.#facts.bindings.resolve(object.object)) === 'request' &&
      /^(?:request|req)$/.test(memberName(object) ?? '')
    )
      return this.#isMember(name);
    return this.isSent(object, steps + 1);
  }

  #isMember(name: string | undefined): boolean {
    if (name === undefined || !SENT.has(name)) return false;
    this.member = name;
    return true;
  }

  #isSentVariable(node: t.Identifier, steps: number): boolean {
    const binding = this.#facts.bindings.resolve(node);
    if (!binding || this.#inProgress.has(binding)) return false;
    this.#inProgress.add(binding);
    const sent = this.#isSentBinding(binding, steps);
    this.#inProgress.delete(binding);
    return sent;
  }

  #isSentBinding(binding: Binding, steps: number): boolean {
    const { declaration, identifier } = binding;
    if (binding.kind === 'param' && isFunction(declaration)) return this.#isSentParameter(binding, declaration, steps);
    if (declaration.type !== 'VariableDeclarator') return false;
    if (declaration.init) {
      if (declaration.id === identifier) {
        if (this.isSent(declaration.init, steps + 1)) return true;
      } else if (this.#isSentThroughPattern(declaration.id, identifier, declaration.init, steps)) return true;
    } else {
      // `for (const name of request.body.names)`
      const loop = parentOf(parentOf(declaration) ?? declaration);
      if (loop?.type === 'ForOfStatement' && (this.#isBody(loop) || this.isSent(loop.right, steps + 1))) return true;
    }
    return (
      this.#isGathered(binding, steps) ||
      (binding.kind !== 'const' &&
        this.#facts.bindings.writes(binding).some(({ node, value }) => {
          // `body += piece`
          const added = this.#wanted === 'text' && node.type === 'AssignmentExpression' && node.operator === '+=' ? node.right : undefined;
          const written = value ?? added;
          return written !== undefined && this.isSent(written, steps + 1);
        }))
    );
  }

  /** `for await (const piece of request)` */
  #isBody({ await: isAwaited, right }: t.ForOfStatement): boolean {
    const body = unwrap(right);
    if (!isAwaited || body.type !== 'Identifier' || this.#requestKind(this.#facts.bindings.resolve(body)) !== 'request') return false;
    this.member = 'data';
    return true;
  }

  /** `pieces.push(piece)`, where the list starts empty */
  #isGathered(binding: Binding, steps: number): boolean {
    const { declaration } = binding;
    const init = declaration.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
    if (init?.type !== 'ArrayExpression' || init.elements.length > 0) return false;
    return this.#facts.bindings.references(binding).some((reference) => {
      const member = parentOf(reference);
      const call =
        member && isMember(member) && member.object === reference && memberName(member) === 'push' ? parentOf(member) : undefined;
      return (
        call !== undefined &&
        isCall(call) &&
        call.callee === member &&
        call.arguments.some((argument) => argument.type !== 'SpreadElement' && this.isSent(argument, steps + 1))
      );
    });
  }

  /** `const { body: { name } } = request` */
  #isSentThroughPattern(pattern: Node, identifier: t.Identifier, value: Node, steps: number): boolean {
    const init = unwrap(value);
    const isRequest = init.type === 'Identifier' && this.#requestKind(this.#facts.bindings.resolve(init)) === 'request';
    if (!isRequest) return this.isSent(init, steps + 1);
    return pattern.type === 'ObjectPattern' && this.#isMember(namesInPattern(pattern, identifier)?.[0]);
  }

  #isSentParameter(binding: Binding, fn: FunctionNode, steps: number): boolean {
    const kind = this.#requestKind(binding);
    // The request itself is not text, but what is read from it may be.
    if (kind !== undefined) return kind === 'data';
    const { facts } = { facts: this.#facts };
    const index = fn.params.findIndex(
      (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
    );
    const destructured = index < 0 ? fn.params.findIndex((param) => namesInPattern(param, binding.identifier) !== undefined) : -1;
    if (destructured >= 0) {
      const names = namesInPattern(fn.params[destructured] as Node, binding.identifier);
      if (this.#isRequestParameter(fn, destructured)) return this.#isMember(names?.[0]);
      return facts.callArguments.of(fn, destructured).some(({ argument }) => this.isSent(argument, steps + 1));
    }
    if (index < 0) return false;
    if (index === 0 && this.#isFedByCallback(fn, steps)) return true;
    return facts.callArguments.of(fn, index).some(({ argument }) => this.isSent(argument, steps + 1));
  }

  /** `request.body.names.map((name) => …)`, `request.on('data', (piece) => …)` */
  #isFedByCallback(fn: FunctionNode, steps: number): boolean {
    const call = parentOf(fn);
    if (!call || !isCall(call) || call.callee === fn || !isMember(call.callee)) return false;
    const method = memberName(call.callee);
    const object = unwrap(call.callee.object);
    if (method === 'on' || method === 'once') {
      this.member = 'data';
      return (
        /^(?:data|message)$/.test(call.arguments[0]?.type === 'StringLiteral' ? call.arguments[0].value : '') &&
        object.type === 'Identifier' &&
        this.#requestKind(this.#facts.bindings.resolve(object)) === 'request'
      );
    }
    return (
      /^(?:map|forEach|filter|some|every|find|findIndex|flatMap|then)$/.test(method ?? '') &&
      call.arguments[0] === fn &&
      this.isSent(object, steps + 1)
    );
  }

  /** What the parameter of a handler is: the request (or context), some of whose members are sent, or the data itself. */
  #requestKind(binding: Binding | undefined): 'request' | 'data' | undefined {
    if (!binding || binding.kind !== 'param' || !isFunction(binding.declaration)) return undefined;
    const fn = binding.declaration;
    const index = fn.params.findIndex(
      (param) =>
        param === binding.identifier ||
        (param.type === 'AssignmentPattern' && param.left === binding.identifier) ||
        (param.type === 'TSParameterProperty' && param.parameter === binding.identifier),
    );
    if (index < 0) return undefined;
    const decorator = decoratorOf(fn.params[index] as Node);
    if (decorator !== undefined) {
      this.member = /^(?:Body|BodyParam|MessageBody|Payload)$/.test(decorator) ? 'body' : 'query';
      return 'data';
    }
    const handler = this.#facts.handlersOf(fn)[0];
    if (handler?.kind === 'socket') {
      this.member = 'message';
      return index === 0 && !/^(?:socket|client|ws|conn|connection|req|request)$/.test(binding.name) ? 'data' : undefined;
    }
    // The event comes first, then what the window sent.
    if (handler?.kind === 'ipc') return index > 0 ? 'data' : undefined;
    // A helper that gets the request under one of its usual names.
    if (REQUEST_NAME.test(binding.name) && (handler || this.#facts.requestPaths.toFunction(fn))) return 'request';
    return this.#isRequestParameter(fn, index) ? 'request' : undefined;
  }

  #isRequestParameter(fn: FunctionNode, index: number): boolean {
    const handler = this.#facts.handlersOf(fn)[0];
    if (!handler || handler.kind === 'socket' || handler.kind === 'ipc') return false;
    // In an error handler of Express, the error comes first.
    return index === (fn.params.length === 4 ? 1 : 0);
  }

  #isSentCall(node: t.CallExpression | t.OptionalCallExpression, steps: number): boolean {
    const callee = unwrap(node.callee);
    const first = node.arguments[0];
    const { origins } = this.#facts;
    const origin = callee.type === 'Identifier' || isMember(callee) ? origins.of(callee) : undefined;
    if (origin?.root === 'global') {
      const name = [origin.name, ...origin.path].join('.');
      if (TEXT_MAKERS.test(name) || (this.#wanted === 'any' && NUMBER_MAKERS.test(name)))
        return node.arguments.some((argument) => this.isSent(argument, steps + 1));
    }
    if (origin?.root === 'module' && PARSERS.some(([module, name]) => module === origin.name && name === (origin.path.at(-1) ?? '')))
      return first !== undefined && this.isSent(first, steps + 1);
    if (!isMember(callee)) return this.#isSentResult(node, steps);
    const method = memberName(callee);
    const object = unwrap(callee.object);
    // `request.get('user-agent')`, `request.header('x')`, `request.param('id')`, `context.req.query('q')`
    if (
      object.type === 'Identifier' &&
      this.#requestKind(this.#facts.bindings.resolve(object)) === 'request' &&
      /^(?:get|header|param|query|json|text|formData)$/.test(method ?? '')
    )
      return this.#isMember(method);
    if (isMember(object) && SENT.has(method ?? '') && this.isSent(callee, steps + 1)) return true;
    return method !== undefined && KEEPING.test(method) && this.isSent(object, steps + 1);
  }

  /** A helper of the file that returns its argument: only if the call runs one function, with a single `return` of a parameter's value. */
  #isSentResult(node: t.CallExpression | t.OptionalCallExpression, steps: number): boolean {
    const targets = this.#facts.calls.functionsOf(node.callee);
    const [only] = targets;
    if (targets.length !== 1 || !only || only.generator) return false;
    const values = this.#facts.shapes.returnedValues(only);
    return values.length === 1 && values[0] !== undefined && this.isSent(values[0], steps + 1);
  }
}

/** The keys from a pattern to an identifier in it, outermost first. */
function namesInPattern(pattern: Node, identifier: t.Identifier): string[] | undefined {
  if (pattern === identifier) return [];
  if (pattern.type === 'AssignmentPattern') return namesInPattern(pattern.left, identifier);
  if (pattern.type !== 'ObjectPattern') return undefined;
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') {
      if (property.argument === identifier) return [];
      continue;
    }
    const below = namesInPattern(property.value, identifier);
    const name = staticName(property.key, property.computed);
    if (below && name !== undefined) return [name, ...below];
  }
  return undefined;
}

function decoratorOf(param: Node): string | undefined {
  const decorators = 'decorators' in param && Array.isArray(param.decorators) ? (param.decorators as t.Decorator[]) : [];
  return decorators
    .map(({ expression }) => {
      const callee = expression.type === 'CallExpression' ? unwrap(expression.callee) : unwrap(expression);
      return callee.type === 'Identifier' ? callee.name : '';
    })
    .find((name) => DECORATORS.test(name));
}
