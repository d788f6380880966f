// Tests that replace functions of `fs`: after a conversion to promises, the code would call what the mock does not have, or the real file
// system.
import { isMember, memberName, unwrap, type CallNode, type Node } from '../../module/ast.ts';
import type { Facts } from '../index.ts';

/** `jest.mock('fs')`, `vi.doMock('node:fs')`, `jest.unstable_mockModule('fs', …)`, `mock.module('fs', …)` of node:test. */
const OF_MODULES = /^(?:mock|doMock|unstable_mockModule|mockModule|setMock|module|replace)$/;
/** `jest.spyOn(fs, 'readFileSync')`, `sinon.stub(fs, 'readFileSync')`, `mock.method(fs, 'readFileSync', …)` */
const OF_FUNCTIONS = /^(?:spyOn|stub|method|replace|fake|replaceProperty)$/;
const MOCKERS: ReadonlySet<string> = new Set(['jest', 'vi', 'vitest', 'mock', 'td', 'sinon', 'sandbox', 't']);
const FS = /^(?:node:)?(?:fs|graceful-fs|fs-extra)$/;
const MAY_MOCK = /\b(?:mock|doMock|unstable_mockModule|mockModule|spyOn|stub|proxyquire|replace|method)\b/;

/**
 * What a test loads of the project, if it replaces synchronous functions of `fs`, or all of it; `true` if the test does not say. Undefined
 * for all other files.
 */
export function mockingLoads(facts: Facts): readonly string[] | true | undefined {
  if (facts.role !== 'test' || !MAY_MOCK.test(facts.source.text)) return undefined;
  const { module } = facts;
  const calls = module.nodes('CallExpression');
  if (!calls.some((call) => isMock(call, facts))) return undefined;
  const given: (Node | null | undefined)[] = [
    ...[...module.nodes('ImportDeclaration'), ...module.nodes('ExportNamedDeclaration'), ...module.nodes('ExportAllDeclaration')].flatMap(
      ({ source }) => source ?? [],
    ),
    ...module.nodes('ImportExpression').map(({ source }) => source),
    ...calls.filter(loads).map((call) => call.arguments[0]),
  ];
  const specifiers = new Set<string>();
  for (const one of given) {
    if (one?.type !== 'StringLiteral') return true;
    if (!FS.test(one.value) && isOfProject(one.value, facts)) specifiers.add(one.value);
  }
  return [...specifiers];
}

/**
 * `require('../store')`, `import('../store')`, `proxyquire('../store', stubs)`, `jest.requireActual('../store')`, `jest.mock('../store')`
 */
function loads({ callee }: CallNode): boolean {
  const node = unwrap(callee);
  if (node.type === 'Import') return true;
  if (node.type === 'Identifier') return /^(?:require|proxyquire|rewire|importModule)$/.test(node.name);
  return isMember(node) && /^(?:require\w*|import\w*|replaceEsm|load|mock|doMock|unstable_mockModule)$/.test(memberName(node) ?? '');
}

/** No package that the manifest names. */
function isOfProject(specifier: string, { project: { manifest } }: Facts): boolean {
  if (/^\.{0,2}\//.test(specifier)) return !/\.(?:json|css|html|txt)$/.test(specifier);
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return (manifest?.dependencies[name] ?? manifest?.devDependencies[name]) === undefined;
}

function isMock(call: CallNode, facts: Facts): boolean {
  const [first, second] = call.arguments;
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier' && callee.name === 'proxyquire') return isOfFiles(second);
  if (!first || !isMember(callee)) return false;
  const object = unwrap(callee.object);
  const mocker = object.type === 'Identifier' ? object.name : isMember(object) ? (memberName(object) ?? '') : '';
  const name = memberName(callee) ?? '';
  if (!MOCKERS.has(mocker)) return false;
  if (first.type === 'StringLiteral') return FS.test(first.value) && OF_MODULES.test(name);
  const isSync = second?.type === 'StringLiteral' && second.value.endsWith('Sync');
  return (
    isSync &&
    OF_FUNCTIONS.test(name) &&
    FS.test(facts.origins.moduleMember(first)?.module ?? (first.type === 'Identifier' ? first.name : ''))
  );
}

/** `proxyquire('./store', { fs: { … } })` */
function isOfFiles(stubs: CallNode['arguments'][number] | undefined): boolean {
  return (
    stubs?.type === 'ObjectExpression' &&
    stubs.properties.some(
      (property) =>
        property.type === 'ObjectProperty' &&
        ((property.key.type === 'Identifier' && property.key.name === 'fs') ||
          (property.key.type === 'StringLiteral' && FS.test(property.key.value))),
    )
  );
}
