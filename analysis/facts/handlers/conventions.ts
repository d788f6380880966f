// Handlers that a file-based router or a platform finds by the file's place and the export's name.
import { FILE_CONVENTIONS, SERVERLESS_EVENT_NAMES, type FileConvention } from '../../../knowledge/handler-signatures.ts';
import type { FunctionNode } from '../../ast.ts';
import type { HandlerSources } from '../handlers.ts';
import { baseOfChain, type ModuleExports } from './module-exports.ts';
import type { Registrations } from './registrations.ts';
import { parameterName } from './signatures.ts';

export function addConventions(sources: HandlerSources, exported: ModuleExports, found: Registrations): void {
  const file = sources.file.replaceAll('\\', '/');
  const conventions = FILE_CONVENTIONS.filter((convention) => convention.file.test(file));
  if (conventions.length > 0) {
    for (const { name, value } of exported.values) {
      const convention = conventions.find((candidate) => candidate.exports.includes(name));
      if (!convention) continue;
      const fns = convention.table ? sources.holders.memberValues(sources.holders.of(value), undefined).flatMap((member) => [...sources.calls.functionsOf(member)]) : sources.calls.functionsOf(baseOfChain(value));
      for (const fn of fns) if (convention.framework !== 'aws-lambda' || takesEvent(fn)) found.add(fn, 'exported', convention.framework, routeOf(convention, file, name), fn);
    }
  }
  addServerActions(sources, exported, found);
}

/** Any module may export a `handler`: a platform's first parameter is its event, or there is none. */
function takesEvent(fn: FunctionNode): boolean {
  const [first] = fn.params;
  return fn.async ? !first || first.type === 'ObjectPattern' || SERVERLESS_EVENT_NAMES.includes(parameterName(first) ?? '') : SERVERLESS_EVENT_NAMES.includes(parameterName(first) ?? '');
}

function routeOf(convention: FileConvention, file: string, name: string): string | undefined {
  const path = convention.route?.exec(file)?.[1];
  if (path === undefined) return undefined;
  // `(group)` folders are no part of the URL; `[id]` is a parameter.
  const route = path.replace(/\/\([^)]*\)/g, '').replace(/\[\[?\.{3}(\w+)\]?\]/g, '*').replace(/\[(\w+)\]/g, ':$1').replace(/\/$/, '') || '/';
  return convention.nameIsMethod && name === name.toUpperCase() ? `${name} ${route}` : route;
}

/** `'use server'` at the head of a file or a function: https://react.dev/reference/rsc/use-server */
function addServerActions(sources: HandlerSources, exported: ModuleExports, found: Registrations): void {
  for (const directive of sources.module.nodes('Directive')) {
    if (directive.value.value !== 'use server') continue;
    if (sources.module.program.directives.includes(directive)) {
      for (const [fn] of exported.functions) if (fn.async) found.add(fn, 'exported', 'react-server', undefined, fn);
      continue;
    }
    for (const type of ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const) {
      for (const fn of sources.module.nodes(type)) if (fn.body.type === 'BlockStatement' && fn.body.directives.includes(directive)) found.add(fn, 'exported', 'react-server', undefined, fn);
    }
  }
}
