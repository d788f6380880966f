// Lays out the head of a statement: its blocks stay as they are.
import { endOf, startOf, type Node, type t } from '../../module/ast.ts';
import { group, hardLine, ifBreak, indent, join, line, softLine, type Doc } from './doc.ts';
import { ExpressionLayout } from './expressions.ts';
import { isBinaryish, isParenthesized } from './kinds.ts';
import { NoLayout } from './source-text.ts';

/** Statements and members of classes. */
export function isUnit({ type }: Node): boolean {
  return UNITS.has(type);
}

const UNITS: ReadonlySet<string> = new Set([
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
  'ThrowStatement',
  'IfStatement',
  'WhileStatement',
  'ForOfStatement',
  'ForInStatement',
  'FunctionDeclaration',
  'ClassMethod',
  'ClassPrivateMethod',
  'ClassProperty',
  'TryStatement',
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
]);

export class StatementLayout extends ExpressionLayout {
  override statement(node: Node): Doc {
    return this.within(node, () => this.#bare(node));
  }

  #bare(node: Node): Doc {
    switch (node.type) {
      case 'ExpressionStatement':
        return [this.print(node.expression), this.#end(node)];
      case 'VariableDeclaration':
        return this.#declaration(node);
      case 'ReturnStatement':
      case 'ThrowStatement':
        return [node.type === 'ReturnStatement' ? 'return' : 'throw', this.#result(node), this.#end(node)];
      case 'IfStatement':
        return this.#if(node);
      case 'WhileStatement':
        return group(['while (', this.#test(node.test), ')', this.#body(node.body)]);
      case 'ForOfStatement':
      case 'ForInStatement': {
        const start = node.type === 'ForOfStatement' && node.await ? 'for await (' : 'for (';
        const left = node.left.type === 'VariableDeclaration' ? this.source.raw(node.left) : this.print(node.left);
        return group([start, left, node.type === 'ForOfStatement' ? ' of ' : ' in ', this.print(node.right), ')', this.#body(node.body)]);
      }
      case 'FunctionDeclaration':
      case 'ClassMethod':
      case 'ClassPrivateMethod':
        if ('decorators' in node && node.decorators?.length) throw new NoLayout();
        return this.functionLike(node);
      case 'ClassProperty':
        if (!node.value || node.decorators?.length) throw new NoLayout();
        return [this.assignment(node, this.#textBefore(node, node.value), ' =', node.value), this.#end(node)];
      case 'ExportNamedDeclaration':
        if (!node.declaration) throw new NoLayout();
        return ['export ', this.statement(node.declaration)];
      case 'ExportDefaultDeclaration':
        return node.declaration.type === 'FunctionDeclaration'
          ? ['export default ', this.statement(node.declaration)]
          : ['export default ', this.print(node.declaration), this.#end(node)];
      case 'ImportDeclaration':
        return this.#import(node);
      case 'BlockStatement':
        return this.block(node);
      case 'TryStatement':
        return this.#try(node);
      default:
        return this.verbatim(node);
    }
  }

  #declaration(node: t.VariableDeclaration): Doc {
    const [only] = node.declarations;
    if (!only || node.declarations.length > 1 || node.declare) throw new NoLayout();
    const { init } = only;
    const doc = this.within(only, () => (init ? this.assignment(only, this.print(only.id), ' =', init) : this.print(only.id)));
    return [node.kind, ' ', doc, this.#end(node)];
  }

  #result({ argument }: t.ReturnStatement | t.ThrowStatement): Doc {
    if (!argument) return '';
    const doc = this.print(argument);
    if (!isBinaryish(argument) || isParenthesized(argument)) return [' ', doc];
    return [' ', group([ifBreak('('), indent([softLine, doc]), softLine, ifBreak(')')])];
  }

  #test(test: Node): Doc {
    return group([indent([softLine, this.print(test)]), softLine]);
  }

  #if(node: t.IfStatement): Doc {
    const { consequent, alternate } = node;
    const head = group(['if (', this.#test(node.test), ')', this.#body(consequent)]);
    if (!alternate) return head;
    const otherwise = alternate.type === 'IfStatement' ? [' ', this.statement(alternate)] : this.#body(alternate);
    return [head, consequent.type === 'BlockStatement' ? ' ' : hardLine, 'else', group(otherwise)];
  }

  #body(body: Node): Doc {
    return body.type === 'BlockStatement' ? [' ', this.block(body)] : indent([line, this.statement(body)]);
  }

  #try({ block, handler, finalizer }: t.TryStatement): Doc {
    const parameter = handler?.param ? ['(', this.source.raw(handler.param), ') '] : '';
    const caught = handler ? [' catch ', parameter, this.block(handler.body)] : '';
    return ['try ', this.block(block), caught, finalizer ? [' finally ', this.block(finalizer)] : ''];
  }

  #import(node: t.ImportDeclaration): Doc {
    const named = node.specifiers.filter((one) => one.type === 'ImportSpecifier');
    const [first] = named;
    const last = named.at(-1);
    if (!first || !last || named.length < 2) throw new NoLayout();
    const open = this.source.text.lastIndexOf('{', startOf(first));
    const close = this.source.text.indexOf('}', endOf(last));
    if (open < startOf(node) || close < 0 || close > endOf(node)) throw new NoLayout();
    const names = named.map((one) => this.source.raw(one));
    const gap = this.style.braceSpace === '' ? softLine : line;
    const comma = this.style.trailingComma === 'none' ? '' : ifBreak(',');
    return [
      this.source.rawRange(startOf(node), open),
      group(['{', indent([gap, ...join([',', line], names)]), comma, gap, '}']),
      this.source.rawRange(close + 1, endOf(node)),
    ];
  }

  #textBefore(node: Node, value: Node): Doc {
    const text = this.source.slice(startOf(node), startOf(value)).trimEnd().replace(/=$/, '').trimEnd();
    if (text.includes('\n')) throw new NoLayout();
    return text;
  }

  #end(node: Node): string {
    const { text } = this.source;
    if (text[endOf(node) - 1] !== ';') return '';
    // Without semicolons, it stands before the next statement.
    if (/\s/.test(text[endOf(node) - 2] ?? '')) throw new NoLayout();
    return ';';
  }
}
