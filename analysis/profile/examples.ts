// Calls in a function's JSDoc `@example`, and in tests: code as its reader would write it, which names what it needs and what the module
// has.
import { isMember, memberName, parentOf, startOf, unwrap, type CallNode } from '../module/ast.ts';
import { patternIdentifiers } from '../facts/identifiers.ts';
import { Facts } from '../facts/index.ts';
import { Source } from '../module/source.ts';
import { readModule } from '../module/text-reader.ts';
import { lastNameOf, type FoundFunction } from './functions.ts';
import { argumentsText, rebuilt, withoutTypes, type Move } from './rebuild.ts';

/**
 * The calls of the function in the lines of one example, as text that holds at the end of its module. Prose, and what needs more than the
 * example says, is passed over.
 */
export function callsInExample(lines: readonly string[], facts: Facts, target: FoundFunction): string[] {
  const text = lines.map((line) => line.replace(/<caption>.*?<\/caption>/i, '').replace(/^\s*```.*$/, '')).join('\n');
  // Where there is prose among the lines, each stands for itself.
  const parts = factsOf(text, facts) ? [text] : text.split('\n');
  return parts.flatMap((part) => {
    const from = factsOf(part, facts);
    return from ? callsIn({ from, into: facts, isExample: true }, target) : [];
  });
}

/**
 * The calls of the function in a test, which is an example of it, too. `isMeant`: whether what a specifier names is the function's module.
 */
export function callsInTest(test: Facts, facts: Facts, target: FoundFunction, isMeant: (specifier: string) => boolean): string[] {
  const names = new Set(
    [...test.module.nodes('ImportDeclaration')]
      .filter(({ source }) => isMeant(source.value))
      .flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)),
  );
  for (const call of test.module.nodes('CallExpression')) {
    const [specifier] = call.arguments;
    if (
      call.callee.type !== 'Identifier' ||
      call.callee.name !== 'require' ||
      specifier?.type !== 'StringLiteral' ||
      !isMeant(specifier.value)
    )
      continue;
    const declaration = parentOf(call);
    if (declaration?.type === 'VariableDeclarator') for (const { name } of patternIdentifiers(declaration.id)) names.add(name);
  }
  return callsIn({ from: test, into: facts, isExample: true, ownNames: names }, target, ({ callee: called }) => {
    const callee = unwrap(called);
    const root = isMember(callee) ? unwrap(callee.object) : callee;
    // An object that the test makes is of the class that it imports, or its making cannot be said again.
    return target.access.kind === 'instance' || (root.type === 'Identifier' && names.has(root.name));
  }).flatMap((text) => withoutTypes(test, text) ?? []);
}

function callsIn(move: Move, target: FoundFunction, isMeant: (call: CallNode) => boolean = () => true): string[] {
  const calls = (['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const).flatMap((type): CallNode[] => [
    ...move.from.module.nodes(type),
  ]);
  return calls.sort((a, b) => startOf(a) - startOf(b)).flatMap((call) => (isMeant(call) ? (callOf(call, move, target) ?? []) : []));
}

function factsOf(text: string, { source, project }: Facts): Facts | undefined {
  const read = text.trim() === '' ? undefined : readModule(source.file, text);
  return read?.ok ? new Facts(read.module, new Source(source.file, text), project) : undefined;
}

function callOf(call: CallNode, move: Move, { access }: FoundFunction): string | undefined {
  if (access.kind === 'none') return undefined;
  const isMade = access.kind === 'expression' && access.text.startsWith('new ');
  const name = access.kind === 'instance' ? access.method : lastNameOf(access.text);
  const callee = unwrap(call.callee);
  const called = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  if (name === undefined || called !== name || isMade !== (call.type === 'NewExpression')) return undefined;
  const args = argumentsText(move, call);
  if (args === undefined) return undefined;
  // What a reader imports it as (`_.chunk`) is nothing in its own module.
  const receiver = isMember(callee) && !isMade ? rebuilt(move, callee.object) : undefined;
  if (receiver !== undefined) return `${receiver}.${name}(${args})`;
  return access.kind === 'expression' ? `${access.text}(${args})` : undefined;
}
