// The edits of a blocking call itself: another callee, the same arguments.
import { endOf, isMember, parentOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { addImport, loadedBy, requiredBy, type AddedImport } from '../../analysis/fix/add-import.ts';
import { getCodeStyle, restOfLine } from '../../analysis/fix/code-style.ts';
import { bindsTighter, closingParenthesis, openingParenthesis } from '../../analysis/fix/make-async.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Edit } from '../../analysis/rule.ts';
import { addAfterLoads, findLoads, freeName, isDeclaredBeforeLoads } from './after-loads.ts';
import type { BlockingMatch, PromiseForm } from './blocking.ts';
import { argumentEdits, startHelper } from './child-processes.ts';

export function callEdits({ call, row }: BlockingMatch, form: PromiseForm, facts: Facts): Edit[] {
  const edits: Edit[] = [];
  const callee = unwrap(call.callee);
  // Type arguments (`readFileSync<string>(…)`) do not fit the other function.
  const argumentsStart = facts.source.text.indexOf(
    '(',
    Math.max(endOf(call.callee), 'typeParameters' in call && call.typeParameters ? endOf(call.typeParameters) : 0),
  );
  let target: string;
  if (form.kind === 'method') target = `${isMember(callee) ? facts.source.slice(callee.object) : ''}.${form.name}`;
  else if (form.kind === 'helper') {
    const helper = startHelper(form.of, facts);
    edits.push(...helper.edits, ...argumentEdits(call, form.of));
    target = helper.local;
  } else {
    const present = promiseTarget(call.callee, row.path.length === 1 ? row.module : undefined, form.module, form.name, facts);
    edits.push(...present.edits);
    target = present.local;
    if (form.promisify) {
      const promisified = promisify(target, form.name, facts);
      edits.push(...promisified.edits);
      target = promisified.local;
    }
  }
  const parent = parentOf(call);
  const isAwaited = parent?.type === 'AwaitExpression';
  // `promisify` takes the types of `scrypt` from its last overload, and the promise is one of `unknown`.
  const isCast = form.kind === 'export' && form.promisify && form.name === 'scrypt' && /\.[cm]?tsx?$/i.test(facts.source.file);
  const tight = bindsTighter(call) || (isCast && !/^(?:VariableDeclarator|ReturnStatement)$/.test(parent?.type ?? ''));
  const before = `${tight ? openingParenthesis(call, facts) : ''}${isCast ? '(' : ''}${isAwaited ? '' : 'await '}`;
  edits.push({ start: startOf(call), end: argumentsStart, text: `${before}${target}` });
  if (tight) edits.push(closingParenthesis(call, facts, isCast ? ') as Buffer' : ''));
  else if (isCast) edits.push(insert(endOf(call), ') as Buffer'));
  return edits;
}

/** What to write for the promise form of a function of `module`, which is called as a member or by its name. */
export function promiseTarget(callee: Node, module: string | undefined, promiseModule: string, name: string, facts: Facts): AddedImport {
  const called = unwrap(callee);
  if (isMember(called) && module !== undefined) {
    const object = facts.source.slice(called.object);
    // `bcrypt.hashSync` becomes `bcrypt.hash`: the object already exists, wherever it was loaded from.
    if (promiseModule.replace(/^node:/, '') === module) return { edits: [], local: `${object}.${name}` };
    if (promiseModule === 'node:fs/promises' && isLoadedInside(called.object, facts))
      return { edits: [], local: `${object}.promises.${name}` };
  }
  return addImport(facts, promiseModule, name);
}

/** `const fs = require('fs')` or `= await import('fs')` in a function, or under a condition: nothing would use it after an import at the top. */
function isLoadedInside(object: Node, facts: Facts): boolean {
  const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  if (!binding || binding.scope.type === 'Program' || !facts.bindings.isConstant(binding)) return false;
  const { declaration } = binding;
  const init = declaration.type === 'VariableDeclarator' && declaration.id === binding.identifier ? declaration.init : undefined;
  return init !== undefined && init !== null && /^(?:node:)?fs$/.test(requiredBy(facts, init) ?? loadedBy(init) ?? '');
}

/** `promisify(gzip)`, made once for the file where that is possible: it would be made for each request otherwise. */
function promisify(target: string, name: string, facts: Facts): AddedImport {
  return facts.remember(`promisified ${target}`, () => {
    const { local, edits } = addImport(facts, 'node:util', 'promisify');
    const text = `${local}(${target})`;
    const present = findConstant(text, facts);
    if (present !== undefined) return { edits: [], local: present };
    const constant = freeName(`${name}Async`, facts);
    const added = isDeclaredBeforeLoads(target, facts)
      ? addConstant(`const ${constant} = ${text}${getCodeStyle(facts).semicolon}`, facts)
      : undefined;
    return added ? { edits: [...edits, added], local: constant } : { edits, local: text };
  });
}

/** Beside others of its kind, or after what loads modules. */
function addConstant(text: string, facts: Facts): Edit | undefined {
  const loads = findLoads(facts);
  const { body } = facts.module.program;
  let last: t.Statement | undefined;
  for (const statement of loads ? body.slice(body.indexOf(loads) + 1) : []) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const' || !isPromisified(statement, facts)) break;
    last = statement;
  }
  const { source } = facts;
  const rest = last && restOfLine(facts, endOf(last));
  return last && rest?.trim() === ''
    ? insert(endOf(last), `${source.lineBreak}${source.indentAt(startOf(last))}${text}`)
    : addAfterLoads(text, facts);
}

function isPromisified({ declarations: [declarator, more] }: t.VariableDeclaration, facts: Facts): boolean {
  const call = declarator?.init && unwrap(declarator.init);
  const made = call?.type === 'CallExpression' ? facts.origins.moduleMember(call.callee) : undefined;
  return more === undefined && made?.module === 'util' && made.path.join('.') === 'promisify';
}

/** A top-level constant with this value. */
function findConstant(text: string, facts: Facts): string | undefined {
  for (const statement of facts.module.program.body)
    if (statement.type === 'VariableDeclaration' && statement.kind === 'const')
      for (const { id, init } of statement.declarations)
        if (
          id.type === 'Identifier' &&
          init &&
          facts.source.slice(init) === text &&
          facts.bindings.identifiersNamed(id.name).every(isOf(id, facts))
        )
          return id.name;
  return undefined;
}

/** An inner declaration of the same name would hide the constant. */
function isOf(constant: t.Identifier, facts: Facts): (identifier: Node) => boolean {
  const own = facts.bindings.resolve(constant);
  return (identifier) => {
    const binding = identifier.type === 'Identifier' ? facts.bindings.resolve(identifier) : undefined;
    return binding === undefined || binding === own;
  };
}

function insert(offset: number, text: string): Edit {
  return { start: offset, end: offset, text };
}
