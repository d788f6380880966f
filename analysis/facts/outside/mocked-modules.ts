// Tests that replace functions of `fs`: after a conversion to promises, the code would call what the mock does not have, or the real file system.
import { isMember, memberName, unwrap, type CallNode } from '../../module/ast.ts';
import type { Facts } from '../index.ts';

/** `jest.mock('fs')`, `vi.doMock('node:fs')`, `jest.unstable_mockModule('fs', …)`, `mock.module('fs', …)` of node:test. */
const OF_MODULES = /^(?:mock|doMock|unstable_mockModule|mockModule|setMock|module|replace)$/;
/** `jest.spyOn(fs, 'readFileSync')`, `sinon.stub(fs, 'readFileSync')`, `mock.method(fs, 'readFileSync', …)` */
const OF_FUNCTIONS = /^(?:spyOn|stub|method|replace|fake|replaceProperty)$/;
const MOCKERS: ReadonlySet<string> = new Set(['jest', 'vi', 'vitest', 'mock', 'td', 'sinon', 'sandbox', 't']);
const FS = /^(?:node:)?(?:fs|graceful-fs|fs-extra)$/;
const MAY_MOCK = /\b(?:mock|doMock|unstable_mockModule|mockModule|spyOn|stub|proxyquire|replace|method)\b/;

/** Whether a test replaces synchronous functions of `fs`, or all of it. */
export function mocksFiles(facts: Facts): boolean {
  if (facts.role !== 'test' || !MAY_MOCK.test(facts.source.text)) return false;
  return facts.module.nodes('CallExpression').some((call) => isMock(call, facts));
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
