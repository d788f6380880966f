// Bytes and texts whose size has no known limit: files, uploads, bodies, answers of others. A key, a digest, or a name is short.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { constantOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';

export interface Large {
  form: 'Buffer' | 'Uint8Array' | 'ArrayBuffer' | 'text';
  /** The variable that has it; undefined if it is made in place. */
  binding?: Binding;
  /** Somebody else has it, too. */
  isKept?: true;
  /** Of a text: it was made from bytes. */
  isDecoded?: true;
}

// The longest chain of variables to follow.
const MAX_STEPS = 6;
const UTF8 = /^utf-?8$/i;
const FILE_MODULES = /^(?:fs|fs\/promises|fs-extra|graceful-fs)$/;
const UPLOAD_PACKAGES = ['multer', '@koa/multer', '@nestjs/platform-express'];
const UPLOAD = /^(?:file|upload|uploaded|uploadedFile|image|photo|avatar|document|picture)$/i;
/** What a server is made of and set up with says which file it is before any request comes. */
const SETUP = /^(?:app|server|fastify|router|config|conf|options|opts|settings|instance|this)$/i;

/** Files that get longer while the server runs, wherever they are. */
const GROWS = /(?<![a-z])(?:log(?:s|ger|file)?|history|backup|dump)(?![a-z])/i;

/** Whether a text may have any of it. */
export function mayCopy(text: string): boolean {
  return /Buffer|readFile|arrayBuffer|fromCharCode|Uint8Array|Blob|TextEncoder/.test(text);
}

export function largeOf(expression: Node, facts: Facts, steps = 0): Large | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'AwaitExpression') {
    const call = unwrap(node.argument);
    return isCall(call) ? awaited(call, facts) : undefined;
  }
  if (isCall(node)) return madeBy(node, facts, steps);
  if (isMember(node)) return isUpload(node.object, memberName(node), facts) ? { form: 'Buffer', isKept: true } : undefined;
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (!binding) return undefined;
  const init = constantOf(node, facts.bindings);
  const large = init ? largeOf(init, facts, steps + 1) : ofParameter(binding, facts, steps);
  // What another variable has, too, is not only this one's.
  return large && { ...large, binding, ...(large.binding ? { isKept: true } : {}) };
}

/** A call whose promise is awaited. */
export function awaited(call: CallNode, facts: Facts): Large | undefined {
  const callee = unwrap(call.callee);
  const method = isMember(callee) ? memberName(callee) : undefined;
  if (call.arguments.length === 0) {
    if (method === 'arrayBuffer') return { form: 'ArrayBuffer' };
    // Of an image library, or of an upload.
    if (method === 'toBuffer') return { form: 'Buffer' };
    if (method === 'text') return { form: 'text' };
  }
  return isReadFile(call, facts) ? ofFile(call, facts) : undefined;
}

/** Bytes or text of a file that the request chooses, or that grows. Another fixed file is as long as it is. */
function ofFile({ arguments: [path, options] }: CallNode, facts: Facts): Large | undefined {
  if (!path || !(varies(path, facts, 0) || GROWS.test(facts.source.slice(path)))) return undefined;
  if (!options || isFunction(options)) return { form: 'Buffer' };
  const value = unwrap(options);
  const encoding =
    value.type === 'ObjectExpression'
      ? value.properties.map((one) =>
          one.type === 'ObjectProperty' && facts.source.slice(one.key) === 'encoding' ? textOf(one.value, facts.bindings) : undefined,
        )
      : [textOf(value, facts.bindings)];
  return encoding.some((one) => one !== undefined && UTF8.test(one)) ? { form: 'text', isDecoded: true } : undefined;
}

function isReadFile({ callee }: CallNode, facts: Facts): boolean {
  const isIt = (node: Node): boolean => {
    const origin = facts.origins.moduleMember(node);
    return origin !== undefined && FILE_MODULES.test(origin.module) && origin.path.at(-1) === 'readFile';
  };
  if (isIt(callee)) return true;
  // `const readFile = util.promisify(fs.readFile)`
  const init = constantOf(unwrap(callee), facts.bindings);
  const maker = init && unwrap(init);
  if (!maker || !isCall(maker) || !maker.arguments[0]) return false;
  return facts.origins.moduleMember(maker.callee)?.path.at(-1) === 'promisify' && isIt(maker.arguments[0]);
}

/** Whether a path depends on what a function was called with. */
function varies(expression: Node, facts: Facts, steps: number): boolean {
  const node = unwrap(expression);
  const some = (...nodes: readonly (Node | null | undefined)[]): boolean =>
    nodes.some((one) => one !== null && one !== undefined && varies(one, facts, steps + 1));
  if (steps > MAX_STEPS * 2) return false;
  switch (node.type) {
    case 'Identifier': {
      const binding = facts.bindings.resolve(node);
      if (!binding || binding.scope.type === 'Program' || SETUP.test(binding.name)) return false;
      if (binding.kind === 'param') return true;
      const { declaration } = binding;
      if (declaration.type !== 'VariableDeclarator') return false;
      const loop = parentOf(parentOf(declaration) ?? declaration);
      if (loop?.type === 'ForOfStatement') return some(loop.right);
      return some(declaration.init) || facts.bindings.assignedValues(binding).some((value) => some(value));
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return some(node.object, node.computed ? node.property : undefined);
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression': {
      const callee = unwrap(node.callee);
      return some(...node.arguments, isMember(callee) ? callee.object : undefined);
    }
    case 'TemplateLiteral':
      return some(...node.expressions);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return some(node.left, node.right);
    case 'ConditionalExpression':
      return some(node.consequent, node.alternate);
    case 'AwaitExpression':
      return some(node.argument);
    default:
      return false;
  }
}

function madeBy(call: CallNode, facts: Facts, steps: number): Large | undefined {
  const { origins } = facts;
  const [first, second] = call.arguments;
  const callee = unwrap(call.callee);
  if (isMember(callee) && memberName(callee) === 'toString' && call.arguments.length <= 1)
    return isUtf8(first, facts) ? decoded(callee.object, facts, steps) : undefined;
  if (!first || first.type === 'SpreadElement') return undefined;
  if (origins.isGlobal(callee, 'String')) return decoded(first, facts, steps);
  if (call.type === 'NewExpression') {
    if (second || !origins.isGlobal(callee, 'Uint8Array')) return undefined;
    const { form, ...rest } = largeOf(first, facts, steps + 1) ?? {};
    return form && form !== 'text' ? { ...(form === 'ArrayBuffer' ? rest : {}), form: 'Uint8Array' } : undefined;
  }
  if (origins.isGlobal(callee, 'Buffer.from')) {
    const large = isUtf8(second, facts) ? largeOf(first, facts, steps + 1) : undefined;
    return large && { ...(large.form === 'ArrayBuffer' ? large : {}), form: 'Buffer' };
  }
  if (origins.isGlobal(callee, 'Buffer.concat')) return unwrap(first).type === 'ArrayExpression' ? undefined : { form: 'Buffer' };
  // An object that is written here has few fields.
  if (origins.isGlobal(callee, 'JSON.stringify'))
    return /^(?:ObjectExpression|.*Literal)$/.test(unwrap(first).type) ? undefined : { form: 'text' };
  return undefined;
}

function decoded(bytes: Node, facts: Facts, steps: number): Large | undefined {
  const form = largeOf(bytes, facts, steps + 1)?.form;
  return form === 'Buffer' ? { form: 'text', isDecoded: true } : undefined;
}

/** No encoding is UTF-8, too. */
export function isUtf8(encoding: Node | undefined, facts: Facts): boolean {
  return encoding === undefined || UTF8.test(textOf(encoding, facts.bindings) ?? '');
}

function ofParameter({ kind, declaration: fn, identifier }: Binding, facts: Facts, steps: number): Large | undefined {
  if (kind !== 'param' || !isFunction(fn)) return undefined;
  const index = fn.params.indexOf(identifier);
  const call = parentOf(fn);
  if (isCall(call) && call.callee !== fn) {
    // `fs.readFile(path, (error, data) => …)`
    if (index === 1 && call.arguments.at(-1) === fn) return isReadFile(call, facts) ? ofFile(call, facts) : undefined;
    const callee = unwrap(call.callee);
    // `response.arrayBuffer().then((bytes) => …)`
    const inner = isMember(callee) && memberName(callee) === 'then' && call.arguments[0] === fn ? unwrap(callee.object) : undefined;
    return index === 0 && isCall(inner) ? awaited(inner, facts) : undefined;
  }
  if (index < 0) return undefined;
  const [large, ...others] = facts.callArguments.of(fn, index).map(({ argument }) => largeOf(argument, facts, steps + 1));
  return large && others.every((one) => one?.form === large.form) ? { form: large.form, isKept: true } : undefined;
}

/** `req.file.buffer` of multer, which holds the whole file. */
function isUpload(object: Node, name: string | undefined, { project: { manifest }, source }: Facts): boolean {
  const node = unwrap(object);
  const owner = isMember(node) ? memberName(node) : node.type === 'Identifier' ? node.name : undefined;
  if (name !== 'buffer' || !UPLOAD.test(owner ?? '')) return false;
  return source.text.includes('multer') || UPLOAD_PACKAGES.some((one) => manifest && Object.hasOwn(manifest.dependencies, one));
}
