// What a program does itself, so that NODE_ENV changes nothing: it answers errors, or Next sets the variable before Express reads it.
import { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { ModuleIndex, walkWithin } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { dirname, join } from '../../analysis/deployment/paths.ts';
import type { ProjectFiles } from '../../analysis/deployment/project-files.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { Program } from './program.ts';

/**
 * Express takes a function of four parameters as one that handles errors (router 2.3.0 lib/layer.js handleError(), express 4.22.3
 * lib/router/layer.js).
 */
const ERROR_PARAMETERS = 4;
const ERROR = /^_?(?:err|error|e|ex|exception)$/i;
/** Middleware of a package that answers errors, and does not ask whether NODE_ENV is `production`: see knowledge/node-env-packages.ts. */
const ANSWERING: ReadonlySet<string> = new Set(['errorhandler']);
/** What an import is called that no file can be found for. */
const NAMED_FOR_ERRORS = /error_?-?handl|handle_?-?errors?|error_?-?middleware/i;
const REGISTERS = /^(?:use|all|get|post|put|patch|delete|route)$/;

export class OwnAnswers {
  readonly #files: ProjectFiles;
  readonly #info: ProjectInfo;
  readonly #facts = new Map<string, Facts | undefined>();

  constructor(files: ProjectFiles, info: ProjectInfo) {
    this.#files = files;
    this.#info = info;
  }

  /**
   * Whether an application of the program registers a handler for errors behind its routes. Then the default one gets no error of theirs.
   */
  answersErrors({ files }: Program): boolean {
    return files.some((path) => {
      if (!/\.use\s*\(/.test(this.#files.readText(path) ?? '')) return false;
      const facts = this.#read(path);
      return facts !== undefined && this.#registersLast(facts);
    });
  }

  /**
   * Whether Next is prepared before Express is created: it sets NODE_ENV where it is unset (next 14.2.13, 15.5.4, and 16.0.0, each in
   * dist/server/lib/router-server.js initialize(); not 12.3.4). By its option `dev`, which must not depend on NODE_ENV itself.
   */
  preparesNext({ files, packages }: Program): boolean {
    if (!packages.has('next')) return false;
    const all = files.filter((path) => /\bexpress\b|\bnext\b/.test(this.#files.readText(path) ?? '')).map((path) => this.#read(path));
    const prepared = all.flatMap((facts) => (facts ? preparationsIn(facts).map((call) => ({ facts, call })) : []));
    if (prepared.length === 0 || all.includes(undefined)) return false;
    return all.every((facts) =>
      callsIn(facts as Facts).every((call) => {
        if (facts?.origins.moduleMember(call.callee)?.module !== 'express' || isMember(unwrap(call.callee))) return true;
        const own = prepared.filter((one) => one.facts === facts);
        // In another file, a function creates it: who calls it is not followed.
        return own.length === 0 ? enclosingFunction(call) !== undefined : own.some((one) => isAfter(call, one.call));
      }),
    );
  }

  #read(path: string): Facts | undefined {
    if (!this.#facts.has(path)) {
      const text = this.#files.readText(path);
      const outcome = text === undefined || path.endsWith('.json') ? undefined : parse(path, text);
      this.#facts.set(
        path,
        outcome?.ok ? new Facts(new ModuleIndex(outcome.ast), new Source(path, text as string), this.#info) : undefined,
      );
    }
    return this.#facts.get(path);
  }

  #registersLast(facts: Facts): boolean {
    const all = callsIn(facts);
    const calls = all.filter(({ callee }) => isMember(callee) && REGISTERS.test(memberName(callee) ?? ''));
    return calls.some((call) => {
      if (!isMember(call.callee) || memberName(call.callee) !== 'use' || !call.arguments.some((one) => this.#handlesErrors(one, facts)))
        return false;
      const app = facts.source.slice(call.callee.object);
      if (all.some((other) => startOf(other) > startOf(call) && mayRegister(other, app, facts))) return false;
      return calls.every(
        (other) =>
          startOf(other) <= startOf(call) ||
          !isMember(other.callee) ||
          facts.source.slice(other.callee.object) !== app ||
          isLastAnswer(other) ||
          other.arguments.some((one) => this.#handlesErrors(one, facts)),
      );
    });
  }

  #handlesErrors(given: Node, facts: Facts): boolean {
    const node = unwrap(given);
    if (isFunction(node)) return isErrorHandler(node);
    // `handleErrors`, `errors.handle`, `errorHandler()`
    let root: Node = isCall(node) ? unwrap(node.callee) : node;
    while (isMember(root)) root = unwrap(root.object);
    if (root.type !== 'Identifier') return false;
    const origin = facts.origins.of(root);
    if (origin?.root === 'module') return this.#isImportedHandler(origin.name, root.name, facts);
    const declaration = facts.bindings.resolve(root)?.declaration;
    const value = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : declaration;
    return value !== undefined && (isFunction(value) ? isErrorHandler(value) || (isCall(node) && hasErrorHandler(value)) : false);
  }

  #isImportedHandler(specifier: string, name: string, facts: Facts): boolean {
    if (ANSWERING.has(specifier)) return true;
    const path = specifier.startsWith('.') ? this.#files.findModule(join(dirname(facts.source.file), specifier)) : undefined;
    const own = path === undefined ? undefined : this.#read(path);
    if (!own) return NAMED_FOR_ERRORS.test(name) && !/^(?:@sentry|node:)/.test(specifier);
    // A file that passes on what others export.
    return hasErrorHandler(own.module.program) || (NAMED_FOR_ERRORS.test(name) && !own.module.program.body.some(declaresFunction));
  }
}

function callsIn({ module }: Facts): readonly CallNode[] {
  return module.nodes('CallExpression');
}

function declaresFunction(statement: Node): boolean {
  let found = false;
  walkWithin(statement, (node) => {
    found ||= isFunction(node);
    return found ? 'stop' : undefined;
  });
  return found;
}

function hasErrorHandler(within: Node): boolean {
  let found = false;
  walkWithin(within, (node) => {
    found ||= isFunction(node) && isErrorHandler(node);
    return found ? 'stop' : undefined;
  });
  return found;
}

/** It has the parameters of one, and does more with the response than to ask whether it was sent. */
function isErrorHandler(fn: FunctionNode): boolean {
  const [error, , response] = fn.params;
  if (fn.params.length !== ERROR_PARAMETERS || error?.type !== 'Identifier' || !ERROR.test(error.name)) return false;
  if (response?.type !== 'Identifier') return false;
  let answers = false;
  walkWithin(fn.body, (node) => {
    if (node.type !== 'Identifier' || node.name !== response.name) return undefined;
    const parent = parentOf(node);
    answers ||= !(isMember(parent) && (parent.property === node || /^(?:headersSent|statusCode|locals)$/.test(memberName(parent) ?? '')));
    return answers ? 'stop' : undefined;
  });
  return answers;
}

/** `proxy.apply(app)`, `registerRoutes(app)`: another function may add routes. */
function mayRegister({ callee, arguments: given }: CallNode, app: string, facts: Facts): boolean {
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  return name !== undefined && ADDS.test(name) && !/error/i.test(name) && given.some((one) => facts.source.slice(one) === app);
}

const ADDS = /^(?:add|apply|configure|init|mount|register|set|use)|routes?$/i;

/** `app.use((req, res) => res.sendStatus(404))` behind the handler, `app.get('env')`. */
function isLastAnswer({ callee, arguments: given }: CallNode): boolean {
  if (isMember(callee) && memberName(callee) === 'get' && given.length === 1) return true;
  const [only, more] = given;
  const fn = only && unwrap(only);
  return more === undefined && fn !== undefined && isFunction(fn) && fn.params.length < 3;
}

/** `app.prepare()` of `const app = next({ dev: false })`. */
function preparationsIn(facts: Facts): readonly CallNode[] {
  return callsIn(facts).filter(({ callee }) => {
    if (!isMember(callee) || memberName(callee) !== 'prepare') return false;
    const object = unwrap(callee.object);
    const declaration = object.type === 'Identifier' ? facts.bindings.resolve(object)?.declaration : undefined;
    const made = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : object;
    if (!isCall(made) || facts.origins.moduleMember(made.callee)?.module !== 'next') return false;
    return !made.arguments.some((one) => dependsOnNodeEnv(one, facts));
  });
}

/** `{ dev: process.env.NODE_ENV !== 'production' }`, `{ dev }`: where it is unset, Next is then prepared for development. */
function dependsOnNodeEnv(expression: Node, facts: Facts, steps = 0): boolean {
  let found = steps > 3;
  walkWithin(expression, (node) => {
    if (isMember(node) && memberName(node) === 'NODE_ENV') found = true;
    else if (node.type === 'Identifier') {
      const declaration = facts.bindings.resolve(node)?.declaration;
      if (node.name === 'NODE_ENV') found = true;
      else if (declaration?.type === 'VariableDeclarator' && declaration.init && !contains(expression, declaration))
        found ||= dependsOnNodeEnv(declaration.init, facts, steps + 1);
    }
    return found ? 'stop' : undefined;
  });
  return found;
}

/** In the callback of its promise, or behind its `await` in the same function. */
function isAfter(call: Node, prepare: CallNode): boolean {
  const member = parentOf(prepare);
  const then = member && parentOf(member);
  if (isMember(member) && memberName(member) === 'then' && isCall(then) && then.arguments[0] && contains(then.arguments[0], call))
    return true;
  if (member?.type !== 'AwaitExpression' || startOf(call) < startOf(prepare)) return false;
  const fn = enclosingFunction(prepare);
  return fn === undefined || contains(fn, call);
}
