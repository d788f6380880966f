// Long files of server code: modules of the samples and of Ghost, one below the other, as a person who never splits a file would have them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOf, parentOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { Bindings, isReference, type Binding } from '../../analysis/facts/bindings.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { fetchPackage } from '../packages.ts';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));
const GHOST = 'ghost@5.130.6';

/** Code that answers requests, and what it calls; CommonJS, so that all peers read it alike. */
const MODULES: readonly (readonly [folder: 'samples' | 'ghost', path: string])[] = [
  ...['app.js', 'lib/products.js', 'lib/session.js', 'lib/invoices.js'].map((path) => ['samples', `express-shop/${path}`] as const),
  ...[
    'web/api/testmode/routes.js',
    'web/comments/routes.js',
    'services/lib/DynamicRedirectManager.js',
    'services/link-redirection/LinkRedirectsService.js',
  ].map((path) => ['ghost', path] as const),
  ...[
    'http-files/server.js',
    'http-files/archive.js',
    'koa-notes/server.js',
    'koa-notes/routes/store.js',
    'koa-notes/routes/notes.js',
    'koa-notes/migrations/001-folders.js',
  ].map((path) => ['samples', path] as const),
  ...[
    'web/api/endpoints/admin/routes.js',
    'services/members/members-api/controllers/RouterController.js',
    'web/shared/middleware/api/spam-prevention.js',
    'services/oembed/OEmbedService.js',
    'services/stripe/StripeAPI.js',
    'api/endpoints/utils/serializers/output/members.js',
    'services/email-service/BatchSendingService.js',
    'data/importer/import-manager.js',
    'services/posts/PostsService.js',
    'services/url/Resources.js',
  ].map((path) => ['ghost', path] as const),
];

export interface ServerCode {
  text: string;
  lines: number;
}

/** The first modules of the list that have together at least so many lines, cut off at none of their middles. */
export function getServerCode(lines: number): ServerCode {
  const folders = { samples: SAMPLES, ghost: join(fetchPackage(GHOST), 'core', 'server') };
  const taken = new Set<string>();
  let text = '';
  for (const [folder, path] of MODULES) {
    if (countLines(text) >= lines) break;
    text += `${withOwnNames(readFileSync(join(folders[folder], path), 'utf8'), taken).trimEnd()}\n\n`;
  }
  if (countLines(text) < lines) throw new Error(`the modules have ${countLines(text)} lines, not ${lines}`);
  return { text, lines: countLines(text) };
}

const countLines = (text: string): number => text.split('\n').length - 1;

/** The module with other names for what modules before it declare too. */
function withOwnNames(text: string, taken: Set<string>): string {
  const outcome = parse('module.js', text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  const module = new ModuleIndex(outcome.ast);
  const bindings = new Bindings(module);
  const names = new Map<Binding, string>();
  const changes: { start: number; end: number; text: string }[] = [];
  for (const identifier of module.nodes('Identifier')) {
    const binding = bindings.resolve(identifier);
    if (binding?.scope !== module.program || !(isReference(identifier) || binding.identifier === identifier)) continue;
    let own = names.get(binding);
    if (own === undefined) {
      own = freeName(binding.name, text, taken);
      names.set(binding, own);
    }
    if (own !== binding.name)
      changes.push({ start: startOf(identifier), end: endOf(identifier), text: isShorthand(identifier) ? `${binding.name}: ${own}` : own });
  }
  for (const own of names.values()) taken.add(own);
  return applyEdits(text, changes);
}

function freeName(name: string, text: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let i = 2; ; i++) if (!taken.has(`${name}${i}`) && !text.includes(`${name}${i}`)) return `${name}${i}`;
}

function isShorthand(identifier: Node): boolean {
  const parent = parentOf(identifier);
  const property = parent?.type === 'AssignmentPattern' ? parentOf(parent) : parent;
  return property?.type === 'ObjectProperty' && property.shorthand && startOf(property) === startOf(identifier);
}
