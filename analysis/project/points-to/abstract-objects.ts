// The objects that flow, and the functions among them, in the whole project's numbers.
import { WholeKind, type FileBase, type Numbering } from './numbering.ts';
import { PairMap } from '../state/pairs.ts';
import { Propagation } from './propagation.ts';
import { FUNCTION_STRIDE, OBJECT_STRIDE, ObjectKind } from '../summary/format.ts';
import { DEEPEST_NAME } from './tasks.ts';
import { TrailedMap } from '../state/trail.ts';

/** Of numbers that no object has. */
const NO_KIND = 255;

export abstract class Objects extends Propagation {
  /** Number of the function in the whole project; of an instance: flags. */
  readonly objectFn: number[] = [];
  readonly objectLink: number[] = [];
  readonly objectName: number[] = [];
  readonly objectFile: number[] = [];
  /** By function: the object that it is, or -1. All functions are written somewhere: none is made while solving. */
  readonly functionObjects: Int32Array;
  /** The functions' records, one after the other. */
  readonly fns: Int32Array;
  protected readonly numbering: Numbering;
  readonly #externals = new TrailedMap<string, number>();
  /** Of packages: their members by name. */
  readonly #members = new PairMap();

  /** All files have room, none is there yet. */
  constructor(numbering: Numbering) {
    super(numbering.nodeCount, numbering.objectCount);
    this.numbering = numbering;
    this.fns = new Int32Array(numbering.fnCount * FUNCTION_STRIDE);
    this.functionObjects = new Int32Array(numbering.fnCount).fill(-1);
    for (let index = 0; index < numbering.files.length; index++) this.clear(index);
    for (const { object, room, isLoose } of numbering.files) if (isLoose) this.isLate.fill(1, object, object + room.object);
  }

  /** The objects and functions of a file. */
  place(index: number): void {
    const file = this.numbering.files[index] as FileBase;
    const { objects, functions } = file.summary;
    for (let i = 0, at = file.object; i < objects.length; i += OBJECT_STRIDE, at++) {
      const kind = objects[i] as number;
      const fn = objects[i + 1] as number;
      const link = objects[i + 2] as number;
      const name = objects[i + 3] as number;
      this.kinds[at] = kind;
      this.objectFn[at] = fn < 0 || kind === ObjectKind.Instance ? fn : fn + file.fn;
      this.objectLink[at] = link < 0 ? -1 : link + file.object;
      this.objectName[at] = name < 0 ? -1 : (file.names[name] as number);
      if (kind === ObjectKind.Function) this.functionObjects[fn + file.fn] = at;
    }
    for (let i = 0; i < functions.length; i += FUNCTION_STRIDE) {
      const at = file.fn * FUNCTION_STRIDE + i;
      for (let k = 0; k < FUNCTION_STRIDE; k++) this.fns[at + k] = functions[i + k] as number;
      if ((functions[i] as number) >= 0) this.fns[at] = file.names[functions[i] as number] as number;
      for (const k of [3, 5, 6]) if ((functions[i + k] as number) > 0) this.fns[at + k] = (functions[i + k] as number) + file.node;
      if ((functions[i + 8] as number) >= 0) this.fns[at + 8] = (functions[i + 8] as number) + file.fn;
    }
  }

  /** Room without anything in it. */
  clear(index: number): void {
    const { object, fn, room } = this.numbering.files[index] as FileBase;
    for (let at = object; at < object + room.object; at++) {
      this.kinds[at] = NO_KIND;
      this.objectFn[at] = -1;
      this.objectLink[at] = -1;
      this.objectName[at] = -1;
      this.objectFile[at] = index;
    }
    this.functionObjects.fill(-1, fn, fn + room.fn);
    for (let at = fn * FUNCTION_STRIDE; at < (fn + room.fn) * FUNCTION_STRIDE; at += FUNCTION_STRIDE) {
      this.fns.fill(0, at, at + FUNCTION_STRIDE);
      this.fns[at] = -1;
      this.fns[at + 8] = -1;
    }
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
    for (const list of [this.objectFn, this.objectLink, this.objectName, this.objectFile]) list.length = this.kinds.length;
  }

  object(kind: number, file: number, name = -1): number {
    this.kinds.push(kind);
    this.objectFn.push(-1);
    this.objectLink.push(-1);
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

  /** What a package has under a name; 0 where that is too deep. */
  protected memberOf(object: number, name: number): number {
    const known = this.#members.get(object, name);
    if (known !== 0) return known;
    const path = this.numbering.names[this.objectName[object] as number] as string;
    if (path.split('.').length > DEEPEST_NAME) return 0;
    const text = this.numbering.names[name] as string;
    // `default` of a package in CommonJS is the package itself.
    const member = this.external(text === 'default' ? path : `${path}.${text}`);
    this.#members.set(object, name, member);
    return member;
  }
}
