// How other files of a project call a function, for those who want to call it themselves.
import { dirname } from 'node:path';
import { endOf, isMember, memberName, startOf, unwrap, type CallNode, type t } from '../../analysis/module/ast.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { callsInCode, MOST_CALLS, type ElsewhereCall, type FoundCall } from '../../analysis/profile/calls.ts';
import { callsInTest } from '../../analysis/profile/examples.ts';
import { findFunctions, lastNameOf, type FoundFunction, type FunctionQuery } from '../../analysis/profile/functions.ts';
import type { CallSite, CallSites } from '../../analysis/project/answers/call-sites.ts';
import { Source } from '../../analysis/module/source.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import type { LintRun } from '../lint-run.ts';

/** Further files are not read: what calls a function from everywhere is called in the same few ways. */
const MOST_FILES = 40;

/**
 * Undefined where there is no such function, or more than one. Calls of tests are listed where no other file calls it so that it can be
 * said again.
 */
export function projectCalls(run: LintRun, file: string, query: FunctionQuery): readonly FoundCall[] | undefined {
  const facts = factsIn(run, file);
  const [target, ...more] = facts ? findFunctions(facts, query) : [];
  if (!facts || !target || more.length > 0) return undefined;
  const sites = run.project.graph.callSites();
  const maker = makerOf(target);
  const calls = callsInCode(facts, target, {
    calls: elsewhere(run, sites, file, startOf(target.fn), (call, from) => isNamed(call, target, from)),
    makers: maker
      ? elsewhere(run, sites, file, startOf(maker), (call) => call.type === 'NewExpression' && calledName(call) === className(target))
      : [],
  });
  return calls.length > 0 ? calls : callsOfTests(run, sites, file, facts, target);
}

function callsOfTests(run: LintRun, sites: CallSites, file: string, facts: Facts, target: FoundFunction): FoundCall[] {
  const found = new Set<string>();
  for (const path of sites.importersOf(file).slice(0, MOST_FILES)) {
    const test = factsIn(run, path);
    if (test?.role !== 'test') continue;
    for (const text of callsInTest(test, facts, target, (specifier) => sites.resolve(path, specifier) === file))
      if (found.size < MOST_CALLS) found.add(text);
  }
  return [...found].map((text): FoundCall => ({ text, origin: 'test' }));
}

/** The facts of a file's text as it is now; undefined for files that cannot be read. */
export function factsIn(run: LintRun, path: string): Facts | undefined {
  const text = run.textNow(path);
  if (text === undefined) return undefined;
  const read = readModule(path, text);
  const folder = dirname(path);
  return read.ok ? new Facts(read.module, new Source(path, text), run.projectOf(folder, run.request.configs.known(folder))) : undefined;
}

function* elsewhere(
  run: LintRun,
  sites: CallSites,
  file: string,
  start: number,
  isMeant: (call: CallNode, facts: Facts) => boolean,
): Generator<ElsewhereCall> {
  const byFile = new Map<string, CallSite[]>();
  for (const site of sites.callsOf({ file, start })) {
    if (site.file === file) continue;
    const list = byFile.get(site.file);
    if (list) list.push(site);
    else byFile.set(site.file, [site]);
  }
  for (const [path, own] of [...byFile].slice(0, MOST_FILES)) {
    const facts = factsIn(run, path);
    if (!facts) continue;
    const calls = (['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const).flatMap((type): CallNode[] => [
      ...facts.module.nodes(type),
    ]);
    for (const call of calls.sort((a, b) => startOf(a) - startOf(b))) {
      if (isMeant(call, facts) && own.some((site) => site.start === startOf(call) && site.end === endOf(call.callee)))
        yield { facts, call };
    }
  }
}

/**
 * `list.map(add)` runs `add`, and so do `add.call(null, 1)` and `callback(1)`: what such calls pass is known less surely than by its
 * name.
 */
function isNamed(call: CallNode, { access }: FoundFunction, { bindings }: Facts): boolean {
  const callee = unwrap(call.callee);
  const name = access.kind === 'instance' ? access.method : access.kind === 'expression' ? lastNameOf(access.text) : undefined;
  if (calledName(call) === name || callee.type !== 'Identifier') return calledName(call) === name;
  const binding = bindings.resolve(callee);
  return binding?.kind === 'import' || (binding?.declaration.type === 'VariableDeclarator' && binding.scope.type === 'Program');
}

function calledName({ callee: called }: CallNode): string | undefined {
  const callee = unwrap(called);
  return callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
}

/** A subclass hands its parent's constructor what makes another class. */
function className({ access }: FoundFunction): string | undefined {
  return access.kind === 'instance' ? access.className : undefined;
}

function makerOf({ access }: FoundFunction): t.ClassMethod | undefined {
  return access.kind === 'instance'
    ? access.classNode.body.body.find((member): member is t.ClassMethod => member.type === 'ClassMethod' && member.kind === 'constructor')
    : undefined;
}
