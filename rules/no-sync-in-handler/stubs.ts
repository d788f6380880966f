// Tests that replace a blocking function: after a conversion, the code no longer calls what they replaced.
import { isCall, isMember, memberName, parentOf, startOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { AcrossFilesHost } from '../../analysis/fix/across-files-host.ts';
import type { Fix } from '../../analysis/rule.ts';
import { TITLE } from './async-plan.ts';
import type { BlockingMatch } from './blocking.ts';

/** Of Jest, Vitest, Sinon, node:test, and TestDouble: `jest.spyOn(fs, 'readFileSync')`. */
const STUBS = /^(?:spyOn|stub|replace|method|fake|replaceProperty)$/;
/** `fs.readFileSync.mockReturnValue('…')`, `fs.readFileSync.returns('…')` */
const OF_STUB = /^(?:mock\w*|returns|throws|callsFake|withArgs|restore)$/;

export interface Stub {
  name: string;
  file: string;
  offset: number;
}

/** For a fix that calls promise forms: what the project says instead of it if a test of the package replaces functions of `fs`. */
export function unlessMocked(converted: readonly BlockingMatch[]): Pick<Fix, 'unlessMocked'> {
  if (!converted.some(({ row }) => FILES.test(row.module))) return {};
  const reason =
    'a test of this package (`{{test}}`) replaces functions of `fs`, and the promise form is another one. Convert both, and let the test write a file';
  return { unlessMocked: { title: TITLE, reason } };
}

const FILES = /^(?:fs|fs-extra|graceful-fs)$/;

/** Where a test that loads the file replaces one of the functions that are called no more. */
export function findStub(
  file: string,
  converted: readonly BlockingMatch[],
  { calls, factsOf }: Pick<AcrossFilesHost, 'calls' | 'factsOf'>,
): Stub | undefined {
  const names = new Set(converted.map(({ row }) => row.path.at(-1) ?? row.module));
  for (const importer of calls.importersOf(file)) {
    const facts = factsOf(importer);
    const node = facts?.role === 'test' ? stubIn(names, facts) : undefined;
    if (node) return { name: node.name, file: importer, offset: node.offset };
  }
  return undefined;
}

function stubIn(names: ReadonlySet<string>, { module }: Facts): Omit<Stub, 'file'> | undefined {
  for (const literal of module.nodes('StringLiteral')) {
    const call = parentOf(literal);
    const callee = isCall(call) ? unwrap(call.callee) : undefined;
    if (names.has(literal.value) && isMember(callee) && STUBS.test(memberName(callee) ?? ''))
      return { name: literal.value, offset: startOf(literal) };
  }
  for (const member of module.nodes('MemberExpression')) {
    const name = memberName(member);
    if (name !== undefined && names.has(name) && isReplaced(member)) return { name, offset: startOf(member) };
  }
  // `jest.mock('fs', () => ({ readFileSync: jest.fn() }))`
  for (const { key, value } of module.nodes('ObjectProperty'))
    if (key.type === 'Identifier' && names.has(key.name) && value.type !== 'Identifier') return { name: key.name, offset: startOf(key) };
  return undefined;
}

function isReplaced(member: Node): boolean {
  const parent = parentOf(member);
  if (parent?.type === 'AssignmentExpression') return parent.left === member;
  return isMember(parent) && parent.object === member && OF_STUB.test(memberName(parent) ?? '');
}
