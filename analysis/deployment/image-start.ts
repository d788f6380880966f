// What a container of an image starts. A compose or Kubernetes file may replace the command of the image.
import { plainWord, shellText, wordList, type CommandText } from './command-text.ts';
import { containerTerrain } from './container.ts';
import type { Image, ImageCommand } from './dockerfile.ts';
import { Interpreter, freshState, type Outcome } from './start-commands.ts';
import type { EnvState } from './launch.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Word } from './shell-words.ts';

export interface Override {
  entrypoint: CommandText | undefined;
  command: CommandText | undefined;
}

export const NO_OVERRIDE: Override = { entrypoint: undefined, command: undefined };

/** `dockerfileText`: the text that contains the commands of the image. */
export function runImage(
  image: Image,
  dockerfileText: string,
  env: EnvState,
  contexts: readonly string[],
  override: Override,
  files: ProjectFiles,
): Outcome {
  const terrain = containerTerrain(image, contexts, files.root);
  const hasOwnEntrypoint = [image.workdir, '/usr/local/bin'].some((folder) =>
    terrain.candidates('docker-entrypoint.sh', folder).some((path) => files.has(path)),
  );
  const command = commandOf(image, dockerfileText, override, hasOwnEntrypoint);
  const interpreter = new Interpreter(files, terrain);
  if (!command) return { starts: [], ecosystems: [], isHidden: false };
  return interpreter.run(command, { ...freshState(image.workdir, env), npmOmitsDev: image.npmOmitsDev });
}

function commandOf(image: Image, dockerfileText: string, override: Override, hasOwnEntrypoint: boolean): CommandText | undefined {
  const own = override.entrypoint ? undefined : image.command;
  const command = override.command ?? textOf(own, image.path, dockerfileText);
  const written = override.entrypoint ?? textOf(image.entrypoint, image.path, dockerfileText);
  const isOfficial =
    image.isNodeImage &&
    /^(?:\/usr\/local\/bin\/)?docker-entrypoint\.sh$/.test(written?.commands[0]?.words[0]?.text ?? '') &&
    !hasOwnEntrypoint;
  const entrypoint = isOfficial ? undefined : written;
  if (!entrypoint) {
    const first = command?.commands[0]?.words[0];
    // The entrypoint of `node` runs node for arguments that are not a command. The entrypoint of distroless is node.
    const isScript = command !== undefined && first !== undefined && /\.[cm]?js$|^-/.test(first.text);
    return (image.runsNode || isOfficial) && isScript ? concat([plainWord('node', first.start, first.start)], command) : command;
  }
  // The shell form of ENTRYPOINT takes no arguments.
  if (!override.entrypoint && image.entrypoint?.form === 'shell') return entrypoint;
  const words = entrypoint.commands[0]?.words ?? [];
  if (!command) return entrypoint;
  if (!override.command && own?.form === 'shell')
    return concat(
      [...words, plainWord('sh', own.span.start, own.span.start), plainWord('-c', own.span.start, own.span.start), shellWord(own)],
      wordList(image.path, dockerfileText, [shellWord(own)]),
      [],
    );
  return concat(words, command);
}

function textOf(command: ImageCommand | undefined, path: string, text: string): CommandText | undefined {
  if (!command) return undefined;
  return command.form === 'exec' ? wordList(path, text, command.words) : shellText(path, command.text, command.textStart);
}

function shellWord(command: ImageCommand): Word {
  const lead = command.text.length - command.text.trimStart().length;
  return plainWord(command.text.trim(), command.textStart + lead, command.textStart + command.text.trimEnd().length);
}

/** `words` before those of the command. The place of the whole is that of the command. */
function concat(words: readonly Word[], command: CommandText, ownWords = command.commands[0]?.words ?? []): CommandText {
  const first = command.commands[0];
  if (!first) return command;
  return { ...command, commands: [{ ...first, words: [...words, ...ownWords] }] };
}
