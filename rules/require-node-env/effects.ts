// What NODE_ENV changes for one program: the effects of its own dependencies, with figures only if they were measured.
import {
  EXPRESS_ERRORS,
  EXPRESS_JSON,
  NODE_ENV_PACKAGES,
  ON_EXPRESS,
  TIED_TEMPLATES,
  VIEW_CACHE,
  VIEW_ENGINES,
  type NodeEnvPackage,
  type ViewEngine,
} from '../../knowledge/node-env-packages.ts';
import { answersRequests } from '../../knowledge/server-packages.ts';
import type { Manifest } from '../../analysis/deployment/project-files.ts';
import type { Program } from './program.ts';

export interface Effects {
  /** The packages with these effects, for the message: `express and pug`. */
  packages: string;
  /** Whole sentences without the last period. */
  text: string;
  /** `speed`: responses get faster. `errors`: only error responses change. `none`: no known effect of either kind. */
  strength: 'speed' | 'errors' | 'none';
}

/** Undefined if the program is not a server, or not one on which NODE_ENV has a known effect. */
export function findEffects(
  program: Program | undefined,
  manifest: Pick<Manifest, 'dependencies'> | undefined,
  answersErrors = false,
): Effects | undefined {
  const loads = (name: string): boolean => program?.packages.has(name) ?? false;
  // What the sources do not fully show, the dependencies do. A program without any sign of listening may be a worker next to the server.
  const isOpen = program === undefined || (!program.isComplete && program.listens);
  const mayLoad = (name: string): boolean => loads(name) || (isOpen && (manifest?.dependencies.has(name) ?? false));
  const isBroughtAlong = (row: NodeEnvPackage): boolean =>
    row.loadedBy !== undefined && loads(row.loadedBy) && (manifest?.dependencies.has(row.name) ?? false);
  const servers = NODE_ENV_PACKAGES.filter((row) => answersRequests(row.name) && (mayLoad(row.name) || isBroughtAlong(row)));
  if (servers.length === 0 && !(program && loadsServer(program))) return undefined;
  const others = NODE_ENV_PACKAGES.filter((row) => !answersRequests(row.name) && row.name !== 'react' && loads(row.name));
  const rows = [...servers, ...others].filter((row, _, all) => !isCoveredByAnother(row, all));
  if (rows.length === 0) return undefined;

  const isOnExpress = rows.some((row) => ON_EXPRESS.has(row.name));
  const rendersViews = isOnExpress && !program?.setsViewCache && (program?.rendersViews ?? true);
  const engines = rendersViews ? VIEW_ENGINES.filter((engine) => loads(engine.name) || manifest?.dependencies.has(engine.name)) : [];
  const sentences = engineSentences(engines);
  const tiesTemplates = program?.tiesTemplateCache === true && loads('nunjucks');
  if (tiesTemplates) sentences.push(TIED_TEMPLATES);
  for (const row of rows) {
    if (answersErrors && ERRORS_ONLY.has(row.name)) continue;
    if (row.name === 'express') {
      sentences.push(EXPRESS_ERRORS);
      if (engines.length === 0 && !tiesTemplates) sentences.push(EXPRESS_JSON);
    } else if (row.name === '@nestjs/platform-express' && engines.length > 0) sentences.push('Nest runs on Express');
    else sentences.push(row.effect);
  }
  const strength =
    engines.length > 0 || tiesTemplates || rows.some((row) => row.isAboutSpeed)
      ? 'speed'
      : sentences.length === 0 || rows.every((row) => row.name === '@nestjs/platform-express')
        ? 'none'
        : 'errors';
  return {
    packages: listOf([...rows.map((row) => row.name), ...engines.map((engine) => engine.name), ...(tiesTemplates ? ['nunjucks'] : [])]),
    text: sentences.join('. '),
    strength,
  };
}

/** Only their default error handler depends on NODE_ENV. */
const ERRORS_ONLY: ReadonlySet<string> = new Set(['express', 'connect']);

/** Nest includes Express, and apollo-server-express builds on it. One sentence is enough if the other package is the framework. */
function isCoveredByAnother(row: NodeEnvPackage, all: readonly NodeEnvPackage[]): boolean {
  const has = (name: string): boolean => all.some((other) => other.name === name);
  if (row.name === 'express') return has('@nestjs/platform-express');
  if (row.name === 'apollo-server' || row.name === 'apollo-server-express')
    return has('@apollo/server') || (row.name === 'apollo-server' && has('apollo-server-express'));
  return row.name === 'vue-server-renderer' && has('@vue/server-renderer');
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function engineSentences(engines: readonly ViewEngine[]): string[] {
  const parts = engines.flatMap(({ name, measured }) => (measured ? [`pages of ${name} were ${measured}`] : []));
  const others = engines.filter(({ measured }) => !measured).map(({ name }) => name);
  if (others.length > 0)
    parts.push(
      `${listOf(others)} ${others.length > 1 ? 'compile' : 'compiles'} a template once instead of once per page (not measured here)`,
    );
  return parts.length > 0 ? [VIEW_CACHE, `With it, ${parts.join('; ')}`] : [];
}

const CORE_SERVERS: ReadonlySet<string> = new Set(['http', 'https', 'http2']);

/** Whether a program certainly loads what makes it a server. */
export function loadsServer({ packages }: Program): boolean {
  return [...packages].some((name) => CORE_SERVERS.has(name) || answersRequests(name));
}
