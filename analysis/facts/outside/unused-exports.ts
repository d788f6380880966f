// Functions that register handlers, and that a program must call: `export function setUpDoors(io) { io.on('connection', …) }`. If no file
// of an application names one, it does not run.
import {
  contains,
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { Binding } from '../bindings.ts';
import type { Facts } from '../index.ts';
import { exportedAs, handsItselfOn, handsObjectOn, isAllExports, readsExports } from './handed-on.ts';

/** What frameworks call by its name has often one word: `register`, `bootstrap`. */
const OWN_NAME = /^(?!on[A-Z]|extend|configure(?:Preview)?Server$)[a-z][a-z\d]+[A-Z]\w+$/;

/** The outermost function around a registration, if only the export of its file leads there. */
export function onlyIn(site: Node, { bindings, project, source }: Facts): { name: string; fn: FunctionNode } | undefined {
  const { manifest } = project;
  // Whoever installs a library may call what it exports.
  if (!manifest?.private && manifest?.scripts.start === undefined) return undefined;
  let fn = enclosingFunction(site);
  for (let outer = fn; outer; outer = enclosingFunction(outer)) fn = outer;
  const holder = fn && parentOf(fn);
  if (!fn || !holder) return undefined;
  if (holder.type === 'AssignmentExpression' && holder.right === fn) {
    const name = exportedAs(holder.left);
    return name !== undefined && OWN_NAME.test(name) && source.text.split(name).length === 2 ? { name, fn } : undefined;
  }
  const id = fn.type === 'FunctionDeclaration' ? fn.id : holder.type === 'VariableDeclarator' && holder.init === fn ? holder.id : undefined;
  const binding = id?.type === 'Identifier' && OWN_NAME.test(id.name) ? bindings.resolve(id) : undefined;
  if (!binding) return undefined;
  const around = fn.type === 'FunctionDeclaration' ? holder : parentOf(parentOf(holder) ?? holder);
  const exports = bindings.references(binding).filter((reference) => reference !== binding.identifier);
  const isExported = around?.type === 'ExportNamedDeclaration' || exports.length > 0;
  return isExported && exports.every(isExport) ? { name: binding.identifier.name, fn } : undefined;
}

/** Whether a place is in a function that its file neither exports nor names anywhere else. */
export function isInUncalled(site: Node, { bindings }: Facts): boolean {
  for (let fn = enclosingFunction(site); fn; fn = enclosingFunction(fn)) {
    const own = fn;
    const holder = parentOf(own);
    const variable = holder?.type === 'VariableDeclarator' && holder.init === own ? holder : undefined;
    const around = variable ? parentOf(parentOf(variable) ?? variable) : holder;
    const id = own.type === 'FunctionDeclaration' ? own.id : variable?.id;
    const isExported = around?.type === 'ExportNamedDeclaration' || around?.type === 'ExportDefaultDeclaration';
    const binding = id?.type === 'Identifier' && !isExported ? bindings.resolve(id) : undefined;
    if (binding && bindings.references(binding).every((one) => one === binding.identifier || contains(own, one))) return true;
  }
  return false;
}

/** `export { x }`, `exports.x = x`, `module.exports = { x }` */
function isExport(reference: Node): boolean {
  const parent = parentOf(reference);
  if (parent?.type === 'ExportSpecifier') return true;
  if (parent?.type === 'AssignmentExpression') return exportedAs(parent.left) === (reference as { name?: string }).name;
  const object = parent?.type === 'ObjectProperty' && parent.shorthand ? parentOf(parent) : undefined;
  const assignment = object && parentOf(object);
  return assignment?.type === 'AssignmentExpression' && isMember(assignment.left) && memberName(assignment.left) === 'exports';
}

/** How many variables may lead from a function to the export of its file: a class, and its one instance. */
const MOST_NAMES = 4;

/** Whether the export of its file is all that leads to a function: of its own, or of the object or the class that has it. */
export function isOnlyExported(fn: FunctionNode, facts: Facts): boolean {
  const { bindings } = facts;
  const known = facts.remember('exported names that are taken', () => new Map<Binding, boolean>());
  const isTaken = (value: Node, depth: number): boolean => {
    const parent = parentOf(value);
    switch (parent?.type) {
      case 'ExportDefaultDeclaration':
      case 'ExportSpecifier':
        return false;
      case 'ExportNamedDeclaration':
        return value.type === 'FunctionDeclaration' || value.type === 'ClassDeclaration' ? isNameTaken(value.id, depth) : true;
      case 'Program':
        return value.type === 'FunctionDeclaration' || value.type === 'ClassDeclaration' ? isNameTaken(value.id, depth) : true;
      case 'VariableDeclarator':
        return parent.init !== value || parent.id.type !== 'Identifier' || !isAtTop(parentOf(parent)) || isNameTaken(parent.id, depth);
      case 'NewExpression':
        return parent.callee !== value || passesItself(parent, facts) || isTaken(parent, depth);
      case 'ClassBody': {
        const owner = parentOf(parent) as t.Class;
        const isOwnNameTaken = owner.type === 'ClassExpression' && owner.id != null && isNameTaken(owner.id, depth);
        return isDecorated(owner) || isDecorated(value) || isOwnNameTaken || handsItselfOn(owner, facts) || isTaken(owner, depth);
      }
      case 'ObjectProperty':
        return parent.value !== value || isTaken(parentOf(parent) as Node, depth);
      case 'ObjectExpression':
        return isTaken(parent, depth);
      case 'AssignmentExpression': {
        if (parent.right !== value || !isAtTop(parentOf(parent))) return true;
        if (exportedAs(parent.left) !== undefined || isAllExports(parent.left)) return false;
        // `controller.show = function () {}`
        const object = isMember(parent.left) ? unwrap(parent.left.object) : undefined;
        return object?.type !== 'Identifier' || isNameTaken(object, depth);
      }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return isTaken(parent, depth);
      default:
        return true;
    }
  };
  const isNameTaken = (name: t.Identifier | null | undefined, depth: number): boolean => {
    const binding = name && bindings.resolve(name);
    if (!binding || depth >= MOST_NAMES) return true;
    let isThis = known.get(binding);
    if (isThis !== undefined) return isThis;
    // In a circle, one of them is taken.
    known.set(binding, true);
    isThis = bindings
      .references(binding)
      .some((reference) => reference !== binding.identifier && !isMemberSet(reference) && isTaken(reference, depth + 1));
    known.set(binding, isThis);
    return isThis;
  };
  return !readsExports(facts) && !isTaken(fn, 0);
}

/** Whether the file of a router only registers on it and exports it, so that nobody gets it without an import. */
export function isRouterOnlyExported(router: t.Identifier, facts: Facts): boolean {
  const { bindings } = facts;
  const known = facts.remember('routers that are only exported', () => new Map<Binding, boolean>());
  const binding = bindings.resolve(router);
  if (!binding) return false;
  const answer = known.get(binding) ?? (!readsExports(facts) && bindings.references(binding).every(isExportOrRegistration));
  known.set(binding, answer);
  return answer;
}

/** `module.exports = router`, `router.get(…)`, and `router.get(…).post(…)` */
function isExportOrRegistration(reference: Node): boolean {
  let at = reference;
  for (let up = parentOf(at); up; up = parentOf(at)) {
    const isOn = isMember(up) ? up.object === at : isCall(up) && up.type !== 'NewExpression' && up.callee === at;
    if (!isOn) break;
    at = up;
  }
  const parent = parentOf(at);
  if (parent?.type === 'AssignmentExpression')
    return parent.right === at && isAtTop(parentOf(parent)) && (exportedAs(parent.left) !== undefined || isAllExports(parent.left));
  return parent?.type === 'ExpressionStatement' || parent?.type === 'ExportDefaultDeclaration' || isExport(reference);
}

const isDecorated = (node: Node): boolean => 'decorators' in node && (node.decorators?.length ?? 0) > 0;

/** Whether a class hands its new object on as it builds it. */
function passesItself({ callee }: t.NewExpression, facts: Facts): boolean {
  const made = callee.type === 'Identifier' ? facts.bindings.resolve(callee)?.declaration : callee;
  return made?.type !== 'ClassDeclaration' && made?.type !== 'ClassExpression' ? true : handsObjectOn(made, facts);
}

/** The statement or declaration of a file, exported or not. */
function isAtTop(node: Node | undefined): boolean {
  const parent = node && parentOf(node);
  return parent?.type === 'Program' || (parent?.type === 'ExportNamedDeclaration' && node?.type === 'VariableDeclaration');
}

/** `x` of `x.y = value`, which takes nothing from it. */
function isMemberSet(reference: Node): boolean {
  const member = parentOf(reference);
  const assignment = member && isMember(member) && member.object === reference ? parentOf(member) : undefined;
  return assignment?.type === 'AssignmentExpression' && assignment.left === member && isAtTop(parentOf(assignment));
}
