// Every place of the project that may refer to a function: calls are awaited, exports and registrations are followed, anything else
// prevents the conversion.
import {
  contains,
  endOf,
  isCall,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type ClassNode,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import type { Binding } from '../facts/bindings.ts';
import type { Facts } from '../facts/index.ts';
import type { FunctionPlace } from '../project/answers/call-sites.ts';
import type { ConversionInProgress } from './across-files-host.ts';
import { CannotConvert } from './cannot-convert.ts';
import {
  callAround,
  exportedAs,
  handlerArgumentAt,
  isExportedLiteral,
  isOfExports,
  isUnrelated,
  literalAround,
  requiredBy,
  returnedBy,
  specifierOf,
} from './function-exports.ts';
import { calledName, isPromiseCallback } from './make-async.ts';
import { wrappingOf } from './wrapper.ts';
import { TYPESCRIPT_FILE } from '../module/parse.ts';

/** Methods that JavaScript or Node calls by name. */
const CALLED_BY_NAME: ReadonlySet<string> = new Set([
  'toString',
  'toJSON',
  'valueOf',
  'then',
  'next',
  'return',
  'throw',
  'inspect',
  'handleEvent',
  'constructor',
  '_read',
  '_write',
  '_transform',
  '_flush',
  '_final',
  '_destroy',
  '_construct',
]);
/** How many functions deep to follow what functions return. */
const DEEPEST_RESULT = 3;

export class UseSearch {
  readonly #conversion: ConversionInProgress;
  readonly #home: string;
  readonly #fn: FunctionNode;
  readonly #place: FunctionPlace;
  readonly #called: string;
  /** Names under which it is a property or an export. */
  readonly #names = new Set<string>();
  /** Files whose default export or `module.exports` it is. */
  readonly #defaults = new Set<string>();
  readonly #bindings = new Set<Binding>();
  /** Names under which modules export it, without those of methods. */
  readonly #exported = new Set<string>();
  #isMethod = false;
  /** Whether it is also a property of something other than the exports of modules. */
  #isInObject = false;

  constructor(conversion: ConversionInProgress, home: string, fn: FunctionNode) {
    this.#conversion = conversion;
    this.#home = home;
    this.#fn = fn;
    this.#place = { file: home, start: startOf(fn) };
    this.#called = calledName(fn);
  }

  run(): void {
    this.#declare();
    for (const name of this.#names) {
      for (const file of new Set([this.#home, ...this.#conversion.host.calls.filesMentioning(name)])) this.#mentions(file, name);
    }
    for (const file of this.#defaults) this.#importsOfDefault(file);
  }

  #refuse(reason: string, file: string, node: Node): never {
    throw new CannotConvert(reason, file, startOf(node));
  }

  // ---- its names

  #declare(): void {
    const fn = this.#fn;
    const home = this.#home;
    const facts = this.#conversion.facts(home);
    const parent = parentOf(fn);
    if (!parent) return;
    if ((fn.type === 'FunctionDeclaration' || fn.type === 'FunctionExpression') && fn.id)
      this.#bind(home, facts.bindings.lookUp(fn.id.name, fn.body));
    if (fn.type === 'FunctionDeclaration') {
      if (fn.id && facts.module.nodes('TSDeclareFunction').some((one) => one.id?.name === fn.id?.name))
        this.#refuse(`${this.#called} has overloads`, home, fn);
      if (parent.type === 'ExportDefaultDeclaration') this.#isDefault(home, parent);
      if (parent.type === 'ExportNamedDeclaration' && fn.id) this.#expose(fn.id.name, home, parent);
    } else if (parent.type === 'VariableDeclarator' && parent.init === fn && parent.id.type === 'Identifier') {
      if (parent.id.typeAnnotation) this.#refuse(`the type of ${this.#called} is declared separately`, home, fn);
      const binding = facts.bindings.resolve(parent.id);
      if (binding && !facts.bindings.isConstant(binding)) this.#refuse(`${this.#called} is reassigned`, home, fn);
      this.#bind(home, binding);
      const declaration = parentOf(parent);
      if (declaration && parentOf(declaration)?.type === 'ExportNamedDeclaration') this.#expose(parent.id.name, home, declaration);
    } else if (
      parent.type === 'ClassBody' ||
      ((parent.type === 'ClassProperty' || parent.type === 'ClassPrivateProperty') && parent.value === fn)
    )
      this.#declareMember(facts, parent.type === 'ClassBody' ? fn : parent);
    else if (
      parent.type === 'ObjectExpression' ||
      (parent.type === 'ObjectProperty' && parent.value === fn) ||
      parent.type === 'AssignmentExpression' ||
      parent.type === 'ExportDefaultDeclaration'
    )
      this.#use(home, fn);
    else this.#refuse(`not all callers of ${this.#called} are known`, home, fn);
  }

  #declareMember(facts: Facts, member: Node): void {
    const home = this.#home;
    if (
      member.type !== 'ClassMethod' &&
      member.type !== 'ClassPrivateMethod' &&
      member.type !== 'ClassProperty' &&
      member.type !== 'ClassPrivateProperty'
    )
      return;
    const body = parentOf(member);
    const owner = body && parentOf(body);
    if (!isClass(owner)) return;
    const name = staticName(member.key, 'computed' in member && member.computed === true);
    if (name === undefined) this.#refuse(`not all callers of ${this.#called} are known: its name is computed`, home, member);
    if ('typeAnnotation' in member && member.typeAnnotation) this.#refuse(`the type of \`${name}\` is declared separately`, home, member);
    if (owner.implements && owner.implements.length > 0)
      this.#refuse(`the class of \`${name}\` implements an interface, which may require the method as it is`, home, member);
    if ('decorators' in member && member.decorators && member.decorators.length > 0 && facts.handlersOf(this.#fn).length === 0)
      this.#refuse(`the decorator of \`${name}\` may do anything with it`, home, member);
    if (CALLED_BY_NAME.has(name)) this.#refuse(`\`${name}\` is called by JavaScript or Node, which does not await it`, home, member);
    const base = owner.superClass && unwrap(owner.superClass);
    if (base && this.#isForeignBase(base, facts))
      this.#refuse(`the class of \`${name}\` extends a class from a package, which may call it`, home, member);
    this.#isMethod = true;
    this.#isInObject = true;
    this.#names.add(name);
  }

  #isForeignBase(base: Node, facts: Facts): boolean {
    if (base.type !== 'Identifier') return true;
    const binding = facts.bindings.resolve(base);
    if (!binding) return true;
    if (binding.kind === 'class') return false;
    const specifier = specifierOf(binding);
    return specifier === undefined || this.#conversion.host.calls.resolve(this.#home, specifier) === undefined;
  }

  #bind(file: string, binding: Binding | undefined): void {
    if (!binding || this.#bindings.has(binding)) return;
    this.#bindings.add(binding);
    const { bindings } = this.#conversion.facts(file);
    for (const reference of bindings.references(binding)) {
      // A named function expression declares its own name.
      if (parentOf(reference) !== this.#fn) this.#use(file, reference);
    }
    this.#checkTypes(file, binding.name);
  }

  #expose(name: string, file: string, at: Node): void {
    this.#checkEntry(file, at);
    if (name === 'default') this.#defaults.add(file);
    else {
      this.#names.add(name);
      this.#exported.add(name);
    }
  }

  #isDefault(file: string, at: Node): void {
    this.#checkEntry(file, at);
    this.#defaults.add(file);
  }

  /** Exports of a published package are called by its users. */
  #checkEntry(file: string, at: Node): void {
    const { calls } = this.#conversion.host;
    const manifest = this.#conversion.facts(file).project.manifest;
    if (!manifest?.name || manifest.private) return;
    const entry = calls.resolve(file, manifest.name);
    const isEntry =
      entry === file ||
      (entry !== undefined &&
        this.#conversion
          .facts(entry)
          .module.nodes('ExportAllDeclaration')
          .some((all) => calls.resolve(entry, all.source.value) === file));
    if (isEntry || isBelow(file, manifest.subpaths ?? []))
      this.#refuse(`the package \`${manifest.name}\` exports ${this.#called}, so users of the package may call it`, file, at);
  }

  // ---- its uses

  /** `node` refers to the function. */
  #use(file: string, node: Node): void {
    const facts = this.#conversion.facts(file);
    const parent = parentOf(node);
    if (!parent) return;
    if (isCall(parent) && parent.callee === node) return this.#conversion.awaitCall(file, parent);
    if (parent.type === 'ExportSpecifier')
      return this.#expose(parent.exported.type === 'Identifier' ? parent.exported.name : parent.exported.value, file, parent);
    if (parent.type === 'ExportDefaultDeclaration') return this.#isDefault(file, parent);
    const handlerArgument = handlerArgumentAt(node, facts);
    if (handlerArgument) this.#checkPassed(file, node, facts);
    if (handlerArgument) return this.#conversion.register(this.#home, this.#fn, handlerArgument.framework, node, file);
    if (
      parent.type === 'ObjectExpression' ||
      (parent.type === 'ObjectProperty' && parent.value === node && parentOf(parent)?.type === 'ObjectExpression')
    ) {
      const property = parent.type === 'ObjectProperty' ? parent : node;
      const name =
        property.type === 'ObjectProperty' || property.type === 'ObjectMethod' ? staticName(property.key, property.computed) : undefined;
      if (name === undefined) this.#refuse(`${this.#called} is stored in an object under an unknown name`, file, node);
      if (CALLED_BY_NAME.has(name)) this.#refuse(`\`${name}\` is called by JavaScript or Node, which does not await it`, file, node);
      const around = literalAround(property);
      if ('passedTo' in around && !facts.handlers.handlerArguments.some((one) => contains(one.node, around.literal)))
        this.#refuse(
          `${this.#called} is passed to \`${facts.source.slice(around.passedTo.callee)}\` in an object, and its callers are unknown`,
          file,
          node,
        );
      if ('isTyped' in around) this.#refuse(`${this.#called} is in an object whose type is declared separately`, file, node);
      if (!isExportedLiteral(around.literal)) this.#isInObject = true;
      return this.#expose(name, file, property);
    }
    if (parent.type === 'AssignmentExpression' && parent.right === node) {
      for (const name of exportedAs(parent)) {
        if (name === undefined) this.#refuse(`${this.#called} is assigned to a variable, and not all of its callers are known`, file, node);
        if (CALLED_BY_NAME.has(name)) this.#refuse(`\`${name}\` is called by JavaScript or Node, which does not await it`, file, node);
        if (!isOfExports(parent)) this.#isInObject = true;
        this.#expose(name, file, parent);
      }
      return;
    }
    if (isCall(parent)) {
      if (isPromiseCallback(parent)) return this.#conversion.takeCallback(file, parent);
      this.#refuse(`${this.#called} is passed to \`${facts.source.slice(parent.callee)}\`, and its callers are unknown`, file, node);
    }
    this.#refuse(`${this.#called} is used as a value, and its callers are unknown`, file, node);
  }

  /** A function of the project that registers handlers may do anything with their results. */
  #checkPassed(file: string, node: Node, facts: Facts): void {
    const call = callAround(node);
    if (
      !call ||
      wrappingOf(call, facts, this.#conversion.elsewhere(file)) !== 'drops' ||
      !this.#conversion.host.calls.targetsAt(file, startOf(call), call.callee.end ?? 0, this.#place)?.isProject
    )
      return;
    this.#refuse(
      `${this.#called} is passed to \`${facts.source.slice(call.callee)}\`, a function of this project that may not await it`,
      file,
      node,
    );
  }

  // ---- where its name is mentioned

  #mentions(file: string, name: string): void {
    const { bindings, module } = this.#conversion.facts(file);
    this.#checkTypes(file, name);
    for (const identifier of bindings.identifiersNamed(name)) {
      const parent = parentOf(identifier);
      if (parent) this.#mention(file, name, identifier, parent);
    }
    for (const text of module.nodes('StringLiteral')) {
      const parent = parentOf(text);
      if (text.value === name && isMember(parent) && parent.property === text) this.#member(file, parent);
    }
    if (name.startsWith('#'))
      for (const key of module.nodes('PrivateName')) {
        const parent = parentOf(key);
        if (`#${key.id.name}` === name && isMember(parent)) this.#member(file, parent);
      }
  }

  #mention(file: string, name: string, identifier: Node, parent: Node): void {
    if (isMember(parent)) {
      if (parent.property === identifier && !parent.computed) this.#member(file, parent);
      return;
    }
    switch (parent.type) {
      case 'ObjectProperty': {
        const pattern = parentOf(parent);
        if (parent.key === identifier && !parent.computed && pattern?.type === 'ObjectPattern') this.#pattern(file, name, parent, pattern);
        return;
      }
      case 'ImportSpecifier': {
        const declaration = parentOf(parent);
        if (
          !this.#exported.has(name) ||
          parent.imported !== identifier ||
          parent.importKind === 'type' ||
          declaration?.type !== 'ImportDeclaration' ||
          declaration.importKind === 'type'
        )
          return;
        this.#imported(file, this.#conversion.facts(file).bindings.resolve(parent.local), declaration.source.value);
        return;
      }
      case 'ExportSpecifier': {
        const declaration = parentOf(parent);
        if (
          !this.#exported.has(name) ||
          parent.local !== identifier ||
          declaration?.type !== 'ExportNamedDeclaration' ||
          !declaration.source
        )
          return;
        if (this.#conversion.host.calls.resolve(file, declaration.source.value) !== undefined)
          this.#expose(parent.exported.type === 'Identifier' ? parent.exported.name : parent.exported.value, file, parent);
        return;
      }
      case 'ClassMethod':
      case 'ClassProperty':
        if (parent.key === identifier && this.#isMethod) this.#otherMember(file, name, parent);
        return;
      default:
        return;
    }
  }

  /** Types are not indexed: `typeof load`, and methods of interfaces, are found in the text. */
  #checkTypes(file: string, name: string): void {
    const { module, source } = this.#conversion.facts(file);
    if (!TYPESCRIPT_FILE.test(file) || !/^[\w$]+$/.test(name)) return;
    const word = name.replaceAll('$', '\\$');
    const made = new RegExp(`\\btypeof\\s+(?:[\\w$]+\\s*\\.\\s*)*${word}(?![\\w$])`).exec(source.text);
    if (made) throw new CannotConvert(`a type is derived from ${this.#called}`, file, made.index);
    if (!this.#isMethod) return;
    for (const type of ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSDeclareMethod'] as const) {
      for (const node of module.nodes(type))
        if (new RegExp(`(?<![\\w$.])${word}\\s*[?(:<]`).test(source.slice(node)))
          this.#refuse(`a type declares the current signature of \`${name}\``, file, node);
    }
  }

  /** A method of the same name in another class. With inheritance, one may override the other. */
  #otherMember(file: string, name: string, member: Node): void {
    const classOf = (node: Node): ClassNode | undefined => {
      for (let at = parentOf(node); at; at = parentOf(at)) if (isClass(at)) return at;
      return undefined;
    };
    const own = classOf(this.#fn);
    const other = classOf(member);
    if (!own || !other || own === other) return;
    if (own.superClass || other.superClass)
      this.#refuse(`another class has a method \`${name}\`, and one may override the other`, file, member);
  }

  #member(file: string, member: Node): void {
    if (!isMember(member)) return;
    const parent = parentOf(member);
    if (!parent) return;
    if (isCall(parent) && parent.callee === member) return this.#callOf(file, parent, member.object);
    // An assigned value is checked where it is assigned. Another function of that name is another function.
    if (parent.type === 'AssignmentExpression' && parent.left === member) return;
    if (this.#isUnrelated(file, member.object)) return;
    const handlerArgument = handlerArgumentAt(member, this.#conversion.facts(file));
    if (handlerArgument) {
      const { isOwn, isOther } = this.#conversion.host.calls.registeredAt(file, startOf(handlerArgument.site), this.#place);
      if (!isOwn && isOther) return;
    }
    this.#use(file, member);
  }

  #callOf(file: string, call: CallNode, base: Node): void {
    const targets = this.#conversion.host.calls.targetsAt(file, startOf(call), call.callee.end ?? 0, this.#place);
    if (targets?.isOwn) return this.#conversion.awaitCall(file, call);
    if (targets?.isOther || this.#isUnrelated(file, base)) return;
    const facts = this.#conversion.facts(file);
    const from = this.#sourceOf(file, base);
    // Tests and scripts are not part of the graph. They call what they load themselves.
    if (!targets && from !== undefined) return from === this.#home ? this.#conversion.awaitCall(file, call) : undefined;
    if (!targets && parentOf(call)?.type === 'AwaitExpression') return;
    this.#refuse(`\`${facts.source.slice(call.callee)}\` may be ${this.#called}, but what it calls is unknown`, file, call);
  }

  #pattern(file: string, name: string, property: Node, pattern: Node): void {
    if (property.type !== 'ObjectProperty') return;
    const facts = this.#conversion.facts(file);
    const declarator = parentOf(pattern);
    const from = declarator?.type === 'VariableDeclarator' && declarator.init ? declarator.init : undefined;
    if (from && this.#isUnrelated(file, from)) return;
    const specifier = from && requiredBy(from, facts);
    if (specifier === undefined) {
      const call = from && unwrap(from);
      // The result of a built-in function or of a package contains no function of this project.
      if (call?.type === 'AwaitExpression' || !from) return;
      if (isMember(call) && memberName(call) !== undefined && /^(?:body|query|params|headers|env)$/.test(memberName(call) ?? '')) return;
      this.#refuse(`\`${name}\` is destructured here from an object that may contain ${this.#called}`, file, property);
    }
    if (property.value.type !== 'Identifier')
      this.#refuse(`\`${name}\` is destructured from a module with a default value`, file, property);
    this.#imported(file, facts.bindings.resolve(property.value), specifier);
  }

  /** A variable that holds what a module exports under one of the names. */
  #imported(file: string, binding: Binding | undefined, specifier: string): void {
    const target = this.#conversion.host.calls.resolve(file, specifier);
    if (target === undefined || !binding) return;
    if (target === this.#home || this.#defaults.has(target)) return this.#bind(file, binding);
    // Another module may re-export it, or have its own of that name.
    const facts = this.#conversion.facts(file);
    const uses = facts.bindings.references(binding);
    const calls = uses.flatMap((one) => {
      const parent = parentOf(one);
      return parent && isCall(parent) && parent.callee === one
        ? [this.#conversion.host.calls.targetsAt(file, startOf(parent), parent.callee.end ?? 0, this.#place)]
        : [];
    });
    if (calls.some((targets) => targets?.isOwn)) return this.#bind(file, binding);
    if (calls.some((targets) => targets?.isOther) || this.#declares(target, binding)) return;
    if (uses.length > 0) this.#refuse(`\`${binding.name}\` may be ${this.#called}, but its origin is unknown`, file, uses[0] as Node);
  }

  /** Whether a module itself has a function of that name. */
  #declares(file: string, { identifier, declaration }: Binding): boolean {
    const name =
      declaration.type === 'ImportSpecifier' && declaration.imported.type === 'Identifier' ? declaration.imported.name : identifier.name;
    const { module } = this.#conversion.facts(file);
    return (
      module.nodes('FunctionDeclaration').some((one) => one.id?.name === name) ||
      module.nodes('VariableDeclarator').some((one) => one.id.type === 'Identifier' && one.id.name === name && isFunction(one.init)) ||
      module.nodes('ClassDeclaration').some((one) => one.id?.name === name)
    );
  }

  #importsOfDefault(file: string): void {
    const { host } = this.#conversion;
    for (const importer of host.calls.importersOf(file)) {
      const facts = this.#conversion.facts(importer);
      const isMeant = (source: string): boolean => host.calls.resolve(importer, source) === file;
      let found = false;
      for (const declaration of facts.module.nodes('ImportDeclaration')) {
        if (!isMeant(declaration.source.value)) continue;
        found = true;
        for (const specifier of declaration.specifiers) {
          if (specifier.type === 'ImportNamespaceSpecifier')
            this.#refuse(`${this.#called} is imported as a namespace`, importer, specifier);
          const isDefault =
            specifier.type === 'ImportDefaultSpecifier' ||
            (specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value) === 'default';
          if (isDefault) this.#bind(importer, facts.bindings.resolve(specifier.local));
        }
      }
      for (const declaration of facts.module.nodes('ExportNamedDeclaration')) {
        if (!declaration.source || !isMeant(declaration.source.value)) continue;
        found = true;
        for (const specifier of declaration.specifiers) {
          if (specifier.type !== 'ExportSpecifier') this.#refuse(`${this.#called} is exported as a namespace`, importer, specifier);
          else if (specifier.local.name === 'default')
            this.#expose(
              specifier.exported.type === 'Identifier' ? specifier.exported.name : specifier.exported.value,
              importer,
              specifier,
            );
        }
      }
      for (const all of facts.module.nodes('ExportAllDeclaration')) found ||= isMeant(all.source.value);
      for (const call of facts.module.nodes('CallExpression')) {
        const specifier = requiredBy(call, facts);
        if (specifier === undefined || !isMeant(specifier)) continue;
        found = true;
        this.#required(importer, call, facts);
      }
      if (!found) this.#refuse(`${this.#called} is loaded here by a name that is computed at run time`, importer, facts.module.program);
    }
  }

  #required(file: string, call: Node, facts: Facts): void {
    const parent = parentOf(call);
    if (!parent || parent.type === 'ExpressionStatement') return;
    if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return this.#bind(file, facts.bindings.resolve(parent.id));
    if (
      parent.type === 'VariableDeclarator' &&
      parent.id.type === 'ObjectPattern' &&
      !parent.id.properties.some((one) => one.type === 'RestElement' || staticName(one.key, one.computed) === 'default')
    )
      return;
    if (isMember(parent) && memberName(parent) !== 'default' && !/^(?:bind|call|apply)$/.test(memberName(parent) ?? '')) return;
    this.#use(file, isMember(parent) && memberName(parent) === 'default' ? parent : call);
  }

  #isUnrelated(file: string, base: Node, depth = 0): boolean {
    const { calls } = this.#conversion.host;
    const returnsData = (call: CallNode): boolean =>
      depth < DEEPEST_RESULT &&
      (calls.functionsAt(file, startOf(call), endOf(call.callee))?.every((place) => this.#returnsData(place, depth)) ?? false);
    return isUnrelated(
      base,
      this.#conversion.facts(file),
      (specifier) => calls.resolve(file, specifier) === undefined,
      !this.#isInObject,
      returnsData,
    );
  }

  /** `JSON.parse(…)`, in any wrapper: it contains no exports of a module. */
  #returnsData({ file, start }: FunctionPlace, depth: number): boolean {
    return returnedBy(start, this.#conversion.facts(file).module)?.every((value) => this.#isUnrelated(file, value, depth + 1)) ?? false;
  }

  /** The file whose exports an expression evaluates to. */
  #sourceOf(file: string, base: Node): string | undefined {
    const facts = this.#conversion.facts(file);
    const node = unwrap(base);
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    const specifier = binding ? specifierOf(binding) : requiredBy(node, facts);
    return specifier === undefined ? undefined : this.#conversion.host.calls.resolve(file, specifier);
  }
}

/**
 * Whether one of the paths that a package exports (`./lib/util/*`) may be the file. What they lead to is often built first, in a folder of
 * its own: they are compared with the end of the file's path.
 */
function isBelow(file: string, subpaths: readonly string[]): boolean {
  const path = file.replaceAll('\\', '/').replace(/\.[cm]?[jt]sx?$/, '');
  return subpaths.some((subpath) => {
    const [before = '', after] = subpath
      .slice(1)
      .replace(/\.[cm]?js$/, '')
      .split('*');
    return after === undefined
      ? path.endsWith(before)
      : before.length > 1 && path.includes(before) && path.endsWith(after.replace(/\.[cm]?js$/, ''));
  });
}
