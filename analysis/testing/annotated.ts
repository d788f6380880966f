// Reads the expectations that a sample's author wrote beside the code:
//
//   const page = fs.readFileSync(file, 'utf8');
//   //           ^ no-sync-in-handler: blocks
//
// The caret stands under the first character of the finding, or `@5` names its column where the comment itself is in the way;
// `#` comments work the same way. Behind it may stand what a run of the code is to say: `blocks (confirmed)`. In files without comments
// (package.json) they stand in a `nodometer-expect.txt` beside it, a line each: `package.json:7:14 require-node-env: startScript`.

export interface Expectation {
  /** From 1. */
  line: number;
  column: number;
  ruleId: string;
  messageId: string;
  /** What running the code is to say, in the author's word: `confirmed`, `refuted`, or `not by a run`. */
  truth?: string;
}

const MARK = /^([\t ]*(?:\/\/|#|\/\*)[\t ]*)(?:\^+[\t ]*|@(\d+) )([\w-]+): (\w+)(?: \(([\w -]+)\))?/;

/** The expectations in one file's text, in order. */
export function readExpectations(text: string): Expectation[] {
  const expectations: Expectation[] = [];
  let codeLine = 0;
  text.split(/\r?\n/).forEach((content, index) => {
    const mark = MARK.exec(content);
    if (!mark) {
      codeLine = index + 1;
      return;
    }
    expectations.push({
      line: codeLine,
      column: mark[2] === undefined ? (mark[1] ?? '').length + 1 : Number(mark[2]),
      ruleId: mark[3] ?? '',
      messageId: mark[4] ?? '',
      ...(mark[5] !== undefined && { truth: mark[5] }),
    });
  });
  return expectations;
}

/** The text as somebody sees it who is to find the problems. */
export function withoutExpectations(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !MARK.test(line))
    .join('');
}

/** Expectations about files beside a `nodometer-expect.txt`, by file name. */
export function readSidecar(text: string): Map<string, Expectation[]> {
  const byFile = new Map<string, Expectation[]>();
  for (const content of text.split(/\r?\n/)) {
    if (content.trim() === '' || content.startsWith('#')) continue;
    const row = /^(\S+):(\d+):(\d+) ([\w-]+): (\w+)(?: \(([\w -]+)\))?$/.exec(content);
    if (!row) throw new Error(`not an expectation: "${content}"`);
    const [, file = '', line, column, ruleId = '', messageId = '', truth] = row;
    const list = byFile.get(file) ?? [];
    list.push({ line: Number(line), column: Number(column), ruleId, messageId, ...(truth !== undefined && { truth }) });
    byFile.set(file, list);
  }
  return byFile;
}
