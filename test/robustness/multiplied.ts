// The same code many times in one file, each time with names and routes of its own, as generated files have it.
import type { FunctionNode, Node, t } from '../../analysis/module/ast.ts';
import { patternIdentifiers } from '../../analysis/facts/bindings.ts';
import { readModule } from '../../analysis/module/text-reader.ts';

/** What a file has once: imports, and what is made of a package in one line. */
const ONCE = /require\(|express\(\)|[Ff]astify\(|Router\(\)|new Koa\(/;
const MOST_ONCE = 160;

/** Undefined if the code has nothing that can stand there twice. */
export function multiplied(file: string, code: string, times: number): string | undefined {
  return multipliedBetween(file, code, times, ['', '']);
}

/** The same in a function that runs once. */
export function multipliedInOne(file: string, code: string, times: number): string | undefined {
  return /^\s*(?:export|import)\b/m.test(code) ? undefined : multipliedBetween(file, code, times, ['(function all() {', '})();']);
}

function multipliedBetween(file: string, code: string, times: number, [head, tail]: readonly [string, string]): string | undefined {
  const read = readModule(file, code);
  if (!read.ok) return undefined;
  const { program } = read.module;
  const textOf = ({ start, end }: Node): string => code.slice(start ?? 0, end ?? 0);
  const isOnce = (one: t.Statement): boolean =>
    one.type === 'ImportDeclaration' ||
    (one.type === 'VariableDeclaration' && textOf(one).length < MOST_ONCE && ONCE.test(textOf(one)) && !/=>|function/.test(textOf(one)));
  const own = program.body.filter((one) => !isOnce(one));
  const names = new Set(own.flatMap(namesOf));
  const ends = [
    ...read.module.nodes('Identifier').filter(({ name }) => names.has(name)),
    ...read.module.nodes('StringLiteral').filter(({ value }) => /^\/[\w:/-]*$/.test(value)),
  ].map((one) => (one.type === 'StringLiteral' ? (one.end ?? 0) - 1 : (one.end ?? 0)));
  const places = [...new Set(ends)].sort((a, b) => a - b);
  const copy = (i: number): string =>
    own
      .map((one) => {
        let from = one.start ?? 0;
        let text = '';
        for (const at of places.filter((place) => place > from && place <= (one.end ?? 0))) {
          text += `${code.slice(from, at)}_${i}`;
          from = at;
        }
        return `${text}${code.slice(from, one.end ?? 0)}\n`;
      })
      .join('');
  if (own.length === 0 || own.some(({ type }) => type === 'ExportDefaultDeclaration')) return undefined;
  return [...program.body.filter(isOnce).map(textOf), head, ...Array.from({ length: times }, (_, i) => copy(i)), tail].join('\n');
}

/**
 * The same statements many times in one function, each time with variables of their own. The function is the innermost around `place` that
 * has some; `outward`: how many of these to leave out. A `return` at its end stays there once.
 */
export function multipliedInside(file: string, code: string, place: number, outward: number, times: number): string | undefined {
  const read = readModule(file, code);
  if (!read.ok) return undefined;
  const { module } = read;
  const [body] = FUNCTIONS.flatMap((type): readonly FunctionNode[] => module.nodes(type))
    .filter(({ start, end }) => (start ?? 0) <= place && place < (end ?? 0))
    .sort((a, b) => (b.start ?? 0) - (a.start ?? 0))
    .slice(outward)
    .map((fn) => fn.body);
  if (!body) return undefined;
  const [bodyStart, bodyEnd] = [body.start ?? 0, body.end ?? 0];
  // `(request, response) => response.end(…)`
  if (body.type !== 'BlockStatement')
    return `${code.slice(0, bodyStart)}{ ${`${code.slice(bodyStart, bodyEnd)};\n`.repeat(times)} }${code.slice(bodyEnd)}`;
  const statements = body.body;
  const last = statements.at(-1);
  const own = last?.type === 'ReturnStatement' ? statements.slice(0, -1) : statements;
  const [first] = own;
  if (!first) return undefined;
  const names = new Set(own.flatMap(namesOf));
  const ends = module
    .nodes('Identifier')
    .filter((one) => names.has(one.name))
    .map(({ end }) => end ?? 0)
    .sort((a, b) => a - b);
  const copyOf = (from: number, to: number, i: number): string => {
    let text = '';
    let at = from;
    for (const end of ends.filter((one) => one > from && one <= to)) {
      text += `${code.slice(at, end)}_${i}`;
      at = end;
    }
    return `${text}${code.slice(at, to)}\n`;
  };
  const [start, end] = [first.start ?? 0, own.at(-1)?.end ?? 0];
  const copies = Array.from({ length: times }, (_, i) => copyOf(start, end, i));
  return `${code.slice(0, start)}${copies.join('')}${copyOf(end, bodyEnd, times - 1)}${code.slice(bodyEnd)}`;
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassMethod', 'ObjectMethod'] as const;

function namesOf(statement: t.Statement): string[] {
  const declared = statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (declared.type === 'VariableDeclaration')
    return declared.declarations.flatMap(({ id }) => patternIdentifiers(id).map(({ name }) => name));
  return 'id' in declared && declared.id?.type === 'Identifier' ? [declared.id.name] : [];
}
