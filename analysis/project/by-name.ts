// Methods of things that nobody sees being made (a document that a query gives): bound by their name, where it is rare and means one function.
import type { Linked } from './link.ts';
import { ObjectKind } from './summary.ts';
import type { Numbering } from './constraints.ts';
import type { Solver } from './solver.ts';
import type { CallRecord } from './tasks.ts';

/** Shorter names are everybody's. */
const SHORTEST = 6;
/** Rounds of binding and solving: what is bound may give what another call needs. */
const MAX_ROUNDS = 2;

/** Names of methods that the language's objects and widely used packages have. */
const COMMON = new Set((
  'toString valueOf toJSON hasOwnProperty isPrototypeOf constructor forEach filter reduce reduceRight indexOf lastIndexOf includes concat slice splice unshift reverse flatMap entries values findIndex findLast ' +
  'charAt charCodeAt replace replaceAll substring substr toLowerCase toUpperCase padStart padEnd startsWith endsWith localeCompare normalize repeat search toFixed getTime toISOString getFullYear setTime delete ' +
  'addListener removeListener removeAllListeners prependListener listeners destroy resume setEncoding setTimeout unref finally resolve reject request response redirect render status cookie header setHeader getHeader ' +
  'writeHead attachment download accepts params session connect connection disconnect listen handle register unregister configure initialize execute create update remove insert select delete upsert findOne findAll findById findMany ' +
  'updateOne updateMany deleteOne deleteMany insertOne insertMany aggregate populate countDocuments distinct validate transform process publish subscribe unsubscribe dispatch notify broadcast commit rollback transaction ' +
  'serialize deserialize stringify format compile compare encrypt decrypt verify signup signin logout refresh enable disable activate deactivate schedule cancel complete success failure ' +
  'getItem setItem removeItem appendChild querySelector getElementById addEventListener removeEventListener preventDefault stopPropagation setState setAttribute getAttribute addClass removeClass ' +
  'warning verbose method static virtual plugin schema message timeout interval middleware options headers reload restart upload ' +
  'onReady onError onClose onOpen onData onMessage onConnect onDisconnect onSuccess onFailure onChange onClick onInit onStart onStop onEnd handler handleRequest callback'
).split(' '));

/** By the node of a member's value: the node that it is read from, 0 for other nodes, and the member's name. */
export interface Loads {
  base: Int32Array;
  name: Int32Array;
}

/** `given`: by file, object, name and value of each `object.name = value`, one after the other: `const Note = sequelize.define('Note', …); Note.parseId = …`. */
export function bindByName({ numbering, solver }: Pick<Linked, 'numbering' | 'solver'>, loads: Loads, given: readonly (readonly number[])[]): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const lost = lostCalls(numbering, solver, loads);
    const named = functionsByName(solver, new Set(lost.map(({ name }) => name)), given);
    let any = false;
    for (const { index, name } of lost) {
      const object = named.get(name);
      if (object === undefined || object < 0) continue;
      solver.callNow(index, object);
      any = true;
    }
    if (!any) return;
    solver.run();
  }
}

/** Calls of members, with rare names, of things that nothing is known of. */
function lostCalls(numbering: Numbering, solver: Solver, loads: Loads): { index: number; name: number }[] {
  const found: { index: number; name: number }[] = [];
  /** By name: 1 for rare ones, 2 for others. */
  const rare = new Uint8Array(numbering.names.length);
  const { calls } = solver;
  for (let index = 0; index < calls.length; index++) {
    const { callee, isExternal, targets } = calls[index] as CallRecord;
    if (isExternal || targets.length > 0) continue;
    const base = loads.base[callee] ?? 0;
    const name = loads.name[callee] ?? -1;
    if (base === 0 || name < 0 || !isOpen(solver, base)) continue;
    if (rare[name] === 0) rare[name] = isRare(numbering.names[name] as string) ? 1 : 2;
    if (rare[name] === 1) found.push({ index, name });
  }
  return found;
}

/** Whether nothing is known of what is in a node, or it is literals that some framework puts together with others: `this.load()` in an action of a service whose methods stand beside its actions. */
function isOpen(solver: Solver, node: number): boolean {
  return solver.objectsIn(node).every((object) => solver.kinds[object] === ObjectKind.Literal);
}

/** By name: the one function that is a member of some object, or of something that a package made, under that name; -1 where there are several. */
function functionsByName(solver: Solver, names: ReadonlySet<number>, given: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (names.size === 0) return found;
  const isAsked = new Uint8Array(Math.max(...names) + 1);
  for (const name of names) isAsked[name] = 1;
  const add = (name: number, node: number): void => {
    for (const value of solver.objectsIn(node)) {
      if (solver.kinds[value] !== ObjectKind.Function) continue;
      const known = found.get(name);
      if (known === undefined) found.set(name, value);
      else if (known !== value) found.set(name, -1);
    }
  };
  const { all } = solver.fields;
  for (let i = 0; i < all.length; i += 3) {
    const name = all[i + 1] as number;
    if (isAsked[name] !== 1) continue;
    const kind = solver.kinds[all[i] as number];
    if (kind === ObjectKind.Instance || kind === ObjectKind.Literal) add(name, all[i + 2] as number);
  }
  for (const list of given) for (let i = 0; i < list.length; i += 3) if (isAsked[list[i + 1] as number] === 1 && solver.objectsIn(list[i] as number).length === 0) add(list[i + 1] as number, list[i + 2] as number);
  return found;
}

function isRare(name: string): boolean {
  return name.length >= SHORTEST && !COMMON.has(name) && /^[a-zA-Z_$][\w$]*$/.test(name);
}
