// package.json: the script that starts the server, if nothing else deploys it.
import type { DeploymentFile } from '../../protocol/project.ts';
import { mappedShellText } from '../../analysis/deployment/command-text.ts';
import { addToScript } from './fixes.ts';
import { Interpreter, freshState, type Outcome } from '../../analysis/deployment/start-commands.ts';
import type { Judged } from './judge.ts';
import { UNSET, type Place, type Terrain, type Via } from '../../analysis/deployment/launch.ts';
import { join, purposeOf } from '../../analysis/deployment/paths.ts';
import type { Manifest, ManifestScript } from '../../analysis/deployment/project-files.ts';
import type { Scene } from './scene.ts';

/** Usual names of scripts that start a server in production. The first that does is used. */
const START_SCRIPTS = ['start', 'serve', 'server', 'start:server', 'start-server', 'start:api', 'start:backend', 'serve:api'];
const NOT_A_START =
  /^(?:pre|post)|(?:^|[:._-])(?:build|compile|lint|test|deploy|release|publish|install|clean|format|seed|migrate|migration|docker|console|repl|generate|bench|watch|stop|kill|logs?|delete|monit|status)(?:$|[:._-])/i;

export const HOST: Terrain = { isPosix: false, candidates: (path, cwd) => [join(cwd, path)] };

export function checkScripts(scene: Scene): void {
  const manifest = scene.files.manifestAt(join(scene.files.root, 'package.json'));
  const file = manifest && scene.files.findFile(manifest.path);
  if (!manifest || !file) return;
  const servers = serversOf(scene, manifest);
  for (const server of servers) {
    const { kind } = server.judged.verdict;
    if ((kind === 'misspelt' || kind === 'development') && server.purpose !== 'development') reportScript(scene, manifest, file, server);
  }
  if (scene.isDecidedElsewhere || scene.deployed.has(manifest.folder) || scene.findPlatform(manifest.folder) || scene.isSetOutside())
    return;
  // If one script does it right, the others are for development.
  if (servers.some(({ judged, purpose }) => judged.verdict.kind === 'fine' && purpose !== 'development')) return;
  if (manifest.scripts.has('heroku-postbuild') || manifest.scripts.has('gcp-build')) return;
  const named = servers.filter(({ purpose }) => purpose === 'production');
  const candidates = named.length > 0 ? named : START_SCRIPTS.flatMap((name) => servers.filter((server) => server.name === name));
  const [first] = candidates.filter(({ judged }) => judged.verdict.kind === 'missing');
  if (first) reportScript(scene, manifest, file, first);
}

/** PM2 files that scripts start, with the environment of the scripts. */
export function collectStarters(scene: Scene): void {
  const manifest = scene.files.manifestAt(join(scene.files.root, 'package.json'));
  for (const [name, script] of manifest?.scripts ?? []) {
    if (manifest && purposeOf(name) !== 'development') scene.ecosystems.push(...runScript(scene, manifest, script).ecosystems);
  }
}

interface ScriptServer {
  name: string;
  script: ManifestScript;
  purpose: 'development' | 'production' | undefined;
  judged: Judged;
}

function serversOf(scene: Scene, manifest: Manifest): ScriptServer[] {
  const servers: ScriptServer[] = [];
  for (const [name, script] of manifest.scripts) {
    if (NOT_A_START.test(name)) continue;
    const purpose = purposeOf(name);
    const judged = scene.judge.findServer(runScript(scene, manifest, script).starts, purpose);
    if (judged) servers.push({ name, script, purpose, judged });
  }
  return servers;
}

function runScript(scene: Scene, manifest: Manifest, script: ManifestScript): Outcome {
  return new Interpreter(scene.files, HOST).run(
    mappedShellText(manifest.path, script.text, script.offsets),
    freshState(manifest.folder, UNSET),
  );
}

function reportScript(scene: Scene, manifest: Manifest, file: DeploymentFile, { name, script, judged }: ScriptServer): void {
  const { place } = judged.start;
  // A script that calls another is reported where the program is started, with the caller as a related place.
  const isHere = place.path === manifest.path;
  const caller: Via[] =
    isHere && judged.start.via.length > 0 ? [{ path: manifest.path, span: script.span, message: `the script \`${name}\` leads here` }] : [];
  scene.reporter.report({
    file,
    at: isHere ? place.span : script.span,
    subject: `The script \`${name}\``,
    judged: { ...judged, start: { ...judged.start, via: [] } },
    remedy:
      'Set it where the server is started in production: in this script, or in the service manager, container, or platform that runs it.',
    fixes: addToScript(manifest, judged.start),
    related: caller,
  });
}

/** The start script as a related place of another finding: it starts the same server and does not set the variable either. */
export function startScriptPlaces(scene: Scene, judged: Judged): Via[] {
  const { manifest } = judged;
  if (!manifest || (judged.verdict.kind !== 'missing' && judged.verdict.kind !== 'host')) return [];
  for (const name of START_SCRIPTS) {
    const script = manifest.scripts.get(name);
    const own = script && scene.judge.findServer(runScript(scene, manifest, script).starts, undefined);
    if (!script || !own) continue;
    return own.verdict.kind === 'missing'
      ? [{ path: manifest.path, span: script.span, message: `the script \`${name}\` does not set NODE_ENV either` }]
      : [];
  }
  return [];
}

/** The project's own server, whatever starts it. */
export function findMainServer(scene: Scene): Judged | undefined {
  const manifest = scene.files.manifestAt(join(scene.files.root, 'package.json'));
  if (!manifest) return undefined;
  for (const name of ['start', 'start:prod', ...START_SCRIPTS, 'dev']) {
    const script = manifest.scripts.get(name);
    const judged = script && scene.judge.findServer(runScript(scene, manifest, script).starts, undefined);
    if (judged) return judged;
  }
  const place: Place = { path: manifest.path, span: { start: 0, end: 0 } };
  const entry = manifest.main === undefined ? undefined : scene.files.findModule(join(manifest.folder, manifest.main));
  if (entry === undefined) return undefined;
  return scene.judge.findServer(
    [
      {
        env: UNSET,
        entry,
        mayBeUnseen: false,
        manifestFolder: manifest.folder,
        folder: manifest.folder,
        shown: `node ${manifest.main ?? ''}`,
        flags: [],
        preloads: [],
        isDevelopment: false,
        place,
        via: [],
      },
    ],
    undefined,
  );
}
