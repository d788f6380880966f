// Abstract objects and the functions among them, numbered for the whole project.
import { FunctionTable } from './function-table.ts';
import { WholeKind, type FileBase, type Numbering } from './numbering.ts';
import { PairMap } from '../state/pairs.ts';
import { Propagation } from './propagation.ts';
import { OBJECT_STRIDE, ObjectField, ObjectKind } from '../summary/format.ts';
import { DEEPEST_NAME } from './tasks.ts';
import { TrailedMap } from '../state/trail.ts';

/** The kind of a number without an object. */
const NO_KIND = 255;

export abstract class Objects extends Propagation {
  /** By object: its function, or for a class the function of its constructor; -1 for none. */
  readonly objectFn: number[] = [];
  /** By object: the instance of a class, the class of an instance; -1 for none. */
  readonly counterpart: number[] = [];
  /** By object: `ObjectFlag`s. */
  readonly objectFlags: number[] = [];
  readonly objectName: number[] = [];
  readonly objectFile: number[] = [];
  /** By function: its object, or -1. Every function is written in some file; solving adds none. */
  readonly functionObjects: Int32Array;
  readonly functions: FunctionTable;
  protected readonly numbering: Numbering;
  readonly #externals = new TrailedMap<string, number>();
  /** The members of packages, by name. */
  readonly #members = new PairMap();

  /** Reserves the numbers of all files. No file is placed yet. */
  constructor(numbering: Numbering) {
    super(numbering.nodeCount, numbering.objectCount);
    this.numbering = numbering;
    this.functions = new FunctionTable(numbering.fnCount);
    this.functionObjects = new Int32Array(numbering.fnCount).fill(-1);
    for (let index = 0; index < numbering.files.length; index++) this.clear(index);
    for (const { object, room, isLoose } of numbering.files) if (isLoose) this.isLate.fill(1, object, object + room.object);
  }

  /** Adds the objects and functions of a file. */
  place(index: number): void {
    const file = this.numbering.files[index] as FileBase;
    const { objects } = file.summary;
    for (let i = 0, at = file.object; i < objects.length; i += OBJECT_STRIDE, at++) {
      const kind = objects[i + ObjectField.Kind] as number;
      const fn = objects[i + ObjectField.Function] as number;
      const counterpart = objects[i + ObjectField.Counterpart] as number;
      const name = objects[i + ObjectField.Name] as number;
      this.kinds[at] = kind;
      this.objectFn[at] = fn < 0 ? -1 : fn + file.fn;
      this.counterpart[at] = counterpart < 0 ? -1 : counterpart + file.object;
      this.objectFlags[at] = objects[i + ObjectField.Flags] as number;
      this.objectName[at] = name < 0 ? -1 : (file.names[name] as number);
      if (kind === ObjectKind.Function) this.functionObjects[fn + file.fn] = at;
    }
    this.functions.place(file);
  }

  /** Empties the number ranges of a file. */
  clear(index: number): void {
    const file = this.numbering.files[index] as FileBase;
    const { object, fn, room } = file;
    for (let at = object; at < object + room.object; at++) {
      this.kinds[at] = NO_KIND;
      this.objectFn[at] = -1;
      this.counterpart[at] = -1;
      this.objectFlags[at] = 0;
      this.objectName[at] = -1;
      this.objectFile[at] = index;
    }
    this.functionObjects.fill(-1, fn, fn + room.fn);
    this.functions.clear(file);
  }

  override mark(): void {
    super.mark();
    this.#externals.mark();
    this.#members.mark();
  }

  override undo(): void {
    super.undo();
    this.#externals.undo();
    this.#members.undo();
    for (const list of [this.objectFn, this.counterpart, this.objectFlags, this.objectName, this.objectFile])
      list.length = this.kinds.length;
  }

  object(kind: number, file: number, name = -1): number {
    this.kinds.push(kind);
    this.objectFn.push(-1);
    this.counterpart.push(-1);
    this.objectFlags.push(0);
    this.objectName.push(name);
    this.objectFile.push(file);
    return this.kinds.length - 1;
  }

  external(path: string): number {
    let object = this.#externals.get(path);
    if (object === undefined) {
      object = this.object(WholeKind.External, -1, this.numbering.name(path));
      this.#externals.set(path, object);
    }
    return object;
  }

  /** The object for a member of a package; 0 if its path is too deep. */
  protected memberOf(object: number, name: number): number {
    const known = this.#members.get(object, name);
    if (known !== 0) return known;
    const path = this.numbering.names[this.objectName[object] as number] as string;
    if (path.split('.').length > DEEPEST_NAME) return 0;
    const text = this.numbering.names[name] as string;
    // The `default` of a CommonJS package is the package itself.
    const member = this.external(text === 'default' ? path : `${path}.${text}`);
    this.#members.set(object, name, member);
    return member;
  }
}
