// The edits that add NODE_ENV to Dockerfiles and package.json scripts. (YAML, PM2 and systemd: next to their parsers.)
import type { Edit, Fix, NamedFix } from '../../protocol/finding.ts';
import type { DockerBuild, Image, Stage } from '../../analysis/deployment/dockerfile.ts';
import type { Place, Start } from '../../analysis/deployment/launch.ts';
import type { Manifest } from '../../analysis/deployment/project-files.ts';
import { indentBefore, lineBreakOf } from '../../analysis/deployment/yaml-edits.ts';

/** Every fix here changes what the program does, so none is applied automatically. */
export function suggestion(title: string, edit: Edit | undefined, named?: NamedFix): Fix[] {
  return edit ? [{ title, kind: 'suggestion', ...(named ? { named } : {}), edits: [edit] }] : [];
}

export function replaceWithProduction(place: Place): Edit {
  return { ...place.span, text: 'production' };
}

/**
 * `ENV NODE_ENV=production` before the CMD and ENTRYPOINT of the stage. It must follow every `npm ci` and build step, because these may
 * need the devDependencies that npm leaves out under NODE_ENV=production. A RUN after the CMD moves it to the end of the stage.
 */
export function addToDockerfile(build: DockerBuild, stage: Stage): Edit | undefined {
  const { text } = build;
  const newline = lineBreakOf(text);
  const lastRun = stage.instructions.findLast((instruction) => instruction.keyword === 'RUN');
  const start = stage.instructions.find(
    (instruction) =>
      (instruction.keyword === 'CMD' || instruction.keyword === 'ENTRYPOINT') && instruction.span.start > (lastRun?.span.start ?? -1),
  );
  if (!start) {
    const end = stage.span.end;
    return { start: end, end, text: `${newline}ENV NODE_ENV=production` };
  }
  const indent = indentBefore(text, start.span.start);
  if (indent === undefined) return undefined;
  const line = 'ENV NODE_ENV=production';
  // A comment right above belongs to the instruction.
  const before = stage.instructions.findLast(({ span }) => span.end <= start.span.start);
  const between = text.slice(before?.span.end ?? stage.span.start, start.span.start);
  const comment = startOfComment(between);
  if (comment === undefined) return { start: start.span.start, end: start.span.start, text: `${line}${newline}${indent}` };
  const at = start.span.start - between.length + comment;
  const isApart = between.slice(0, comment).endsWith(newline + newline);
  return { start: at, end: at, text: `${indent}${line}${newline}${isApart ? newline : ''}` };
}

/** Where the comment lines begin that the text ends with, before the indentation of what follows. */
function startOfComment(text: string): number | undefined {
  let at = text.lastIndexOf('\n') + 1;
  let start: number | undefined;
  while (at > 1) {
    const before = text.lastIndexOf('\n', at - 2) + 1;
    // The first line is the rest of another instruction's.
    if (before === 0 || !text.slice(before, at).trimStart().startsWith('#')) break;
    start = at = before;
  }
  return start;
}

/**
 * For a value in a Dockerfile that RUN steps come after: under `production` they would leave out the devDependencies that they may need. So
 * the value stays for them, and `production` is set behind them. Undefined where the value itself can be replaced.
 */
export function setAfterBuild(build: DockerBuild, stage: Stage, value: Place | undefined): readonly Fix[] | undefined {
  if (value?.path !== build.path) return undefined;
  const isBuilding = build.stages.some(({ instructions }) =>
    instructions.some(({ keyword, span }) => keyword === 'RUN' && span.start > value.span.start),
  );
  return isBuilding ? suggestion('Add `ENV NODE_ENV=production` after the build steps', addToDockerfile(build, stage)) : undefined;
}

/** Keeps an ARG that only exists during the build. */
export function keepArg(build: DockerBuild, image: Image): Edit | undefined {
  if (!image.argOnly) return undefined;
  const { end } = image.argOnly.span;
  return { start: end, end, text: `${lineBreakOf(build.text)}ENV NODE_ENV=$NODE_ENV` };
}

/** `NODE_ENV=production` before the command in a package.json script, through cross-env if it is one of the project's dependencies. */
export function addToScript(manifest: Manifest, start: Start): Fix[] {
  if (start.place.path !== manifest.path) return [];
  const at = start.place.span.start;
  const scriptText = manifest.text.slice(start.place.span.start, start.place.span.end);
  if (scriptText.startsWith('cross-env ')) {
    const after = at + 'cross-env '.length;
    return suggestion('Set NODE_ENV=production with cross-env', { start: after, end: after, text: 'NODE_ENV=production ' });
  }
  if (manifest.dependencies.has('cross-env'))
    return suggestion('Set NODE_ENV=production with cross-env', { start: at, end: at, text: 'cross-env NODE_ENV=production ' });
  return suggestion(
    'Set NODE_ENV=production for this command (POSIX shells; cmd.exe needs cross-env)',
    { start: at, end: at, text: 'NODE_ENV=production ' },
    'start-script',
  );
}
