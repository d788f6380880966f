// Process managers: PM2 files, systemd units, Procfiles.
import { opaqueShellText } from '../../analysis/deployment/command-text.ts';
import { HOST, startScriptPlaces } from './check-scripts.ts';
import { suggestion } from './fixes.ts';
import { Interpreter, freshState, type EcosystemStart } from '../../analysis/deployment/start-commands.ts';
import { UNKNOWN, UNSET, type EnvState, type Terrain, type Via } from '../../analysis/deployment/launch.ts';
import { dirname, isAbsolute, join, purposeOf } from '../../analysis/deployment/paths.ts';
import { parsePm2, type Pm2App } from '../../analysis/deployment/pm2-file.ts';
import { parseProcfile } from '../../analysis/deployment/procfile.ts';
import type { Scene } from './scene.ts';
import { SUPERVISOR } from '../../analysis/deployment/deployment-files.ts';
import { parseSupervisor, parseUnit } from '../../analysis/deployment/systemd.ts';
import { judgeValue } from './values.ts';

export function checkPm2(scene: Scene): void {
  for (const { file, path, purpose } of scene.filesOf('pm2')) {
    if (purpose === 'development') continue;
    const starters = scene.ecosystems.filter((starter) => starter.path === path);
    for (const app of parsePm2(path, file.text, scene.context.project.info)) {
      if (purposeOf(app.name) === 'development') continue;
      checkNamedEnvironments(scene, app, path);
      const { env, starter } = environmentOf(app, starters);
      const outcome = new Interpreter(scene.files, HOST).run(
        opaqueShellText({ path, span: app.span }, commandOf(app)),
        freshState(folderOf(app, path), env),
      );
      const judged = scene.judge.findServer(outcome.starts, purpose);
      if (!judged) {
        if (env.kind !== 'unset') scene.isDecidedElsewhere = true;
        continue;
      }
      if (judged.manifest) scene.deployed.add(judged.manifest.folder);
      if (judged.verdict.kind === 'missing' && (app.isWatching || scene.isSetOutside())) continue;
      const isUnused =
        judged.verdict.kind === 'missing' &&
        [...app.envs].some(([name, state]) => name !== '' && state?.kind === 'value' && judgeValue(state.value) === 'production');
      const from: Via[] = starter
        ? [
            {
              ...starter.place,
              message: isUnused ? 'started here without `--env production`, which env_production requires' : 'started here',
            },
          ]
        : [];
      scene.reporter.report({
        file,
        at: app.span,
        subject: `PM2's app \`${app.name}\``,
        judged,
        note: isUnused ? '; PM2 reads `env_production` only if it is started with `--env production`' : '',
        remedy: isUnused ? 'Start PM2 with `--env production`, or put NODE_ENV in `env`.' : "Put NODE_ENV in the app's `env`.",
        fixes: suggestion("Add NODE_ENV to the app's env", app.addition),
        related: [...from, ...startScriptPlaces(scene, judged)],
      });
    }
  }
}

/** `env_production: { NODE_ENV: 'development' }` is wrong, whatever starts the file. */
function checkNamedEnvironments(scene: Scene, app: Pm2App, path: string): void {
  for (const [name, env] of app.envs) {
    if (purposeOf(name) !== 'production' || env?.kind !== 'value' || !env.place) continue;
    const outcome = new Interpreter(scene.files, HOST).run(
      opaqueShellText({ path, span: app.span }, commandOf(app)),
      freshState(folderOf(app, path), env),
    );
    const judged = scene.judge.findServer(outcome.starts, 'production');
    const file = scene.files.findFile(path);
    if (file && (judged?.verdict.kind === 'misspelt' || judged?.verdict.kind === 'development')) {
      scene.reporter.report({ file, at: app.span, subject: `\`env_${name}\` of PM2's app \`${app.name}\``, judged, remedy: '', fixes: [] });
    }
  }
}

/** The environment that starters of the file give the app. If nothing in the project starts it, only its `env`. */
function environmentOf(app: Pm2App, starters: readonly EcosystemStart[]): { env: EnvState; starter: EcosystemStart | undefined } {
  const own = app.envs.get('');
  const states = starters.map((starter) => ({
    starter,
    env: (starter.envName === undefined ? undefined : app.envs.get(starter.envName)) ?? own ?? starter.env,
  }));
  const good = states.find(({ env }) => env.kind === 'value' && env.value === 'production');
  if (good) return good;
  const [first] = states;
  if (first) return first;
  if (own) return { env: own, starter: undefined };
  // Something starts it with `--env production`, or the other environment would not exist.
  const named = [...app.envs].find(([name, state]) => name !== '' && state !== undefined);
  return { env: named ? UNKNOWN : UNSET, starter: undefined };
}

function commandOf(app: Pm2App): string {
  const interpreter = app.interpreter;
  if (interpreter !== undefined && !/^(?:node|nodejs|tsx|ts-node|none)$|\/(?:node|tsx|ts-node)$/.test(interpreter)) return ':';
  const words = `${app.script} ${app.args}`.trim();
  const isFile = /\.[cm]?[jt]s$/.test(app.script) || /^[./]/.test(app.script) || /\/(?!$)/.test(app.script);
  return isFile && interpreter !== 'none' ? `node ${app.nodeArgs} ${words}` : words;
}

function folderOf(app: Pm2App, path: string): string {
  return app.cwd !== undefined && !isAbsolute(app.cwd) ? join(dirname(path), app.cwd) : dirname(path);
}

export function checkSystemd(scene: Scene): void {
  const units = [...scene.filesOf('systemd')];
  for (const { file, path, purpose } of units) {
    if (purpose === 'development' || !path.endsWith('.service')) continue;
    const dropIns = units
      .filter((other) => dirname(other.path) === `${path}.d`)
      .map((other) => ({ path: other.path, text: other.file.text }));
    const unit = parseUnit(path, file.text, dropIns);
    if (!unit) continue;
    const outcome = new Interpreter(scene.files, machine(scene.files.root, dirname(path))).run(
      unit.command,
      freshState(unit.folder, unit.env),
    );
    scene.ecosystems.push(...outcome.ecosystems);
    const judged = scene.judge.findServer(outcome.starts, purpose);
    if (!judged) continue;
    if (judged.manifest) scene.deployed.add(judged.manifest.folder);
    scene.reporter.report({
      file,
      at: unit.commandSpan,
      subject: 'This unit',
      judged,
      remedy: 'Add `Environment=NODE_ENV=production`.',
      fixes: suggestion('Add `Environment=NODE_ENV=production`', unit.addition),
      related: startScriptPlaces(scene, judged),
    });
  }
}

/**
 * What supervisord starts with NODE_ENV is not started by the script of package.json. Where it sets none, its own environment may, such as
 * that of the image: the other checks decide.
 */
export function checkSupervisor(scene: Scene): void {
  for (const { file, path, purpose } of scene.filesOf('systemd')) {
    if (purpose === 'development' || !SUPERVISOR.test(path.toLowerCase())) continue;
    for (const { command, folder, env } of parseSupervisor(path, file.text)) {
      if (env.kind === 'unset') continue;
      const at = { path, span: { start: 0, end: 0 } };
      const outcome = new Interpreter(scene.files, machine(scene.files.root, dirname(path))).run(
        opaqueShellText(at, command),
        freshState(folder, env),
      );
      const judged = scene.judge.findServer(outcome.starts, purpose);
      if (judged?.manifest) scene.deployed.add(judged.manifest.folder);
    }
  }
}

/** A machine with the project in some folder: `/srv/app/server.js` may be the project's `server.js`. */
function machine(root: string, folder: string): Terrain {
  return {
    isPosix: true,
    candidates(path, cwd) {
      const parts = join(cwd, path).split('/').filter(Boolean);
      return [root, folder].flatMap((base) => [
        ...parts.map((_, i) => join(base, parts.slice(i).join('/'))),
        ...(path === 'package.json' || path === '.' ? [join(base, path)] : []),
      ]);
    },
  };
}

/** Heroku and compatible platforms set NODE_ENV=production by default, so only a wrong value counts. */
export function checkProcfile(scene: Scene): void {
  for (const { file, path, purpose } of scene.filesOf('procfile')) {
    if (purpose === 'development') continue;
    for (const type of parseProcfile(path, file.text)) {
      if (purposeOf(type.name) === 'development') continue;
      const outcome = new Interpreter(scene.files, { ...HOST, isPosix: true }).run(type.command, freshState(scene.files.root, UNKNOWN));
      const judged = scene.judge.findServer(outcome.starts, 'production');
      if (judged?.verdict.kind !== 'misspelt' && judged?.verdict.kind !== 'development') continue;
      scene.reporter.report({ file, at: type.span, subject: `The process type \`${type.name}\``, judged, remedy: '', fixes: [] });
    }
  }
}
