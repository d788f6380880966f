// A measurement of the event loop for people, in the terminal or as Markdown.
import { relative } from 'node:path';
import type { LagReport, LoopBlock, SourcePlace } from '../../protocol/evidence.ts';
import { duration } from '../../profiler/judge/words.ts';
import { count } from '../count.ts';
import type { ProfileStyle } from './profile-style.ts';
import { causeOf, delayLines, lengthOf } from './program-text.ts';

const MOST_BLOCKS = 10;
const MOST_FRAMES = 5;

export function formatLag(
  { command, machine, delay, blocks, startUpBlocks, gc, problems }: LagReport,
  cwd: string,
  style: ProfileStyle,
): string {
  const at = ({ file, line, column }: SourcePlace) => `${relative(cwd, file) || file}:${line}:${column}`;
  const block = ([one, others]: readonly [LoopBlock, number]) => [
    style.row([
      lengthOf(one),
      causeOf(one),
      others > 0 ? `and ${others} shorter ${others === 1 ? 'one' : 'ones'} at the same location` : '',
    ]),
    ...one.stack.slice(0, MOST_FRAMES).map((frame) => style.dim(`    ${frame.functionName || '(anonymous)'}  ${at(frame)}`)),
  ];
  const lines = [
    style.title(`${command} on Node ${machine.node}`),
    '',
    style.section('Event loop delay'),
    ...delayLines(delay, style, blocks),
  ];
  if (gc.count > 0)
    lines.push(style.row([`${count(gc.count, 'garbage collection')}, ${duration(gc.totalMs)} in total, ${duration(gc.maxMs)} at most`]));
  const places = byPlace(blocks);
  if (places.length > 0) lines.push('', style.section('Longest blocks'), ...places.slice(0, MOST_BLOCKS).flatMap(block));
  if (places.length > MOST_BLOCKS) lines.push(style.dim(`and at ${count(places.length - MOST_BLOCKS, 'more location')}`));
  if (startUpBlocks.length > 0)
    lines.push('', style.dim(`During startup, before any request: ${startUpBlocks.map((one) => duration(one.duration)).join(', ')}.`));
  for (const problem of problems) lines.push('', style.dim(problem));
  return `${lines.join('\n')}\n`;
}

/** The longest of each place, with how many shorter ones there were; the list is in the order of their length. */
function byPlace(blocks: readonly LoopBlock[]): (readonly [LoopBlock, number])[] {
  const found = new Map<string, readonly [LoopBlock, number]>();
  for (const block of blocks) {
    const key = JSON.stringify([block.kind, block.endless, block.call, block.stack[0] ?? null]);
    const known = found.get(key);
    found.set(key, known ? [known[0], known[1] + 1] : [block, 0]);
  }
  return [...found.values()];
}
