// What an application sets for all routes of its controllers: a prefix, versions.
import { isMember, memberName, unwrap, type Node, type t } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import { propertyValue, readPaths, readText } from './route-paths.ts';

export interface RouteBase {
  framework: string;
  prefix: string;
  /** Paths without the prefix. */
  excluded: readonly string[];
  /** Set if versions are part of the path: the text before them, and the versions of controllers that name none. */
  version?: { prefix: string; usual: readonly string[] };
}

/**
 * https://docs.nestjs.com/faq/global-prefix, https://docs.nestjs.com/techniques/versioning,
 * https://github.com/typestack/routing-controllers#prefix-all-controllers-routes
 */
export function findBase(sources: HandlerSources): RouteBase | undefined {
  const { module } = sources;
  const imported = module.importedModules();
  const isNest = imported.has('@nestjs/core') || imported.has('@nestjs/common');
  if (!isNest && !imported.has('routing-controllers')) return undefined;
  let base: RouteBase | undefined;
  const start = (framework: string): RouteBase => (base ??= { framework, prefix: '', excluded: [] });
  for (const call of module.nodes('CallExpression')) {
    const callee = unwrap(call.callee);
    const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
    const options = call.arguments
      .map((argument) => unwrap(argument))
      .find((argument): argument is t.ObjectExpression => argument.type === 'ObjectExpression');
    if (isNest && name === 'setGlobalPrefix' && call.arguments[0]) {
      const prefix = readText(call.arguments[0], sources);
      if (prefix !== undefined)
        base = { ...start('nestjs'), prefix: withSlash(prefix), excluded: options ? excludedIn(options, sources) : [] };
    } else if (isNest && name === 'enableVersioning') {
      const type = options && propertyValue(options, 'type');
      // Versions in headers do not change the path.
      if (type && !(isMember(unwrap(type)) && memberName(unwrap(type) as t.MemberExpression) === 'URI')) continue;
      const before = options && propertyValue(options, 'prefix');
      const usual = options && propertyValue(options, 'defaultVersion');
      const text = before ? (unwrap(before).type === 'BooleanLiteral' ? '' : readText(before, sources)) : 'v';
      if (text !== undefined)
        base = { ...start('nestjs'), version: { prefix: text, usual: usual ? (versionsIn(usual, sources) ?? []) : [] } };
    } else if (/^(?:create|use)(?:Express|Koa)Server$/.test(name ?? '') && options) {
      const prefix = propertyValue(options, 'routePrefix');
      const text = prefix && readText(prefix, sources);
      if (text !== undefined) base = { ...start('routing-controllers'), prefix: withSlash(text) };
    }
  }
  return base;
}

/** The versions that an expression names; '' for no version. */
export function versionsIn(node: Node, sources: HandlerSources): readonly string[] | undefined {
  const value = unwrap(node);
  if (value.type === 'ArrayExpression') {
    const all = value.elements.flatMap((element) => (element ? (versionsIn(element, sources) ?? []) : []));
    return all.length > 0 ? all : undefined;
  }
  if (value.type === 'Identifier' && value.name === 'VERSION_NEUTRAL') return [''];
  if (value.type === 'NumericLiteral') return [String(value.value)];
  return readPaths(value, sources);
}

function excludedIn(options: t.ObjectExpression, sources: HandlerSources): string[] {
  const list = propertyValue(options, 'exclude');
  const node = list ? unwrap(list) : undefined;
  if (node?.type !== 'ArrayExpression') return [];
  return node.elements.flatMap((element) => {
    const one = element ? unwrap(element) : undefined;
    const path = one?.type === 'ObjectExpression' ? propertyValue(one, 'path') : one;
    const text = path && readText(path, sources);
    return text === undefined ? [] : [withSlash(text)];
  });
}

function withSlash(path: string): string {
  return path === '' || path.startsWith('/') ? path.replace(/\/$/, '') : `/${path.replace(/\/$/, '')}`;
}
