// The same code many times in one file, each time with names and routes of its own, as generated files have it.
import type { Node, t } from '../../analysis/module/ast.ts';
import { patternIdentifiers } from '../../analysis/facts/bindings.ts';
import { readModule } from '../../analysis/module/text-reader.ts';

/** What a file has once: imports, and what is made of a package in one line. */
const ONCE = /require\(|express\(\)|[Ff]astify\(|Router\(\)|new Koa\(/;
const MOST_ONCE = 160;

/** Undefined if the code has nothing that can stand there twice. */
export function multiplied(file: string, code: string, times: number): string | undefined {
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
  return [...program.body.filter(isOnce).map(textOf), ...Array.from({ length: times }, (_, i) => copy(i))].join('\n');
}

function namesOf(statement: t.Statement): string[] {
  const declared = statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (declared.type === 'VariableDeclaration')
    return declared.declarations.flatMap(({ id }) => patternIdentifiers(id).map(({ name }) => name));
  return 'id' in declared && declared.id?.type === 'Identifier' ? [declared.id.name] : [];
}
