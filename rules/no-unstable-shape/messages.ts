// The wording of the reports. Figures are this rule's own measurements (README, "Measured") on Node 18 to 26.
import type { MessageParts } from '../../protocol/finding.ts';

export type MessageId =
  | 'deletedField'
  | 'conditionalFields'
  | 'keyOrder'
  | 'replacedPrototype'
  | 'replacedPerRequest'
  | 'sparseArray'
  | 'overrunRead';

export const messages: Record<MessageId, MessageParts> = {
  deletedField: {
    what: '`delete` takes {{fields}} off {{each}}.',
    why: '{{when}}V8 then keeps the object as a hash table: reading its fields took 6 to 15 times as long, JSON.stringify 1.7 to 4 times (Node 18 to 26), and each delete about 0.2 µs.',
    remedy:
      'Build the records without the field (ask for fewer columns, or `const { field, ...rest } = record` where a copy will do), or keep the key and empty it where that will do.',
  },
  conditionalFields: {
    what: 'These records get {{fields}} {{how}}, so they have {{shapes}} shapes.',
    why: '{{cost}} Records that are only sent as JSON gain nothing.',
    remedy: 'Where hot code reads them, give every record all fields from the start, empty where there is no value.',
  },
  keyOrder: {
    what: 'This literal has the keys of another one in a different order, and both reach {{place}}.',
    why: 'Another order is another shape: hot code that reads both took 1.3 to 1.7 times as long, 7 to 9 times with five orders (Node 18 to 26).',
    remedy: 'Write the keys in one order.',
  },
  replacedPrototype: {
    what: 'This gives {{each}} another prototype after its creation.',
    why: '{{cost}}',
    remedy: 'Create the objects with the prototype: `new` of a class, or `Object.create(prototype)` and the fields after it.',
  },
  replacedPerRequest: {
    what: 'Every request gives this object another prototype.',
    why: '{{cost}}',
    remedy:
      'Let the server create its objects with the prototype (the `IncomingMessage` and `ServerResponse` options of `http.createServer`), or keep your methods in an object of your own.',
  },
  sparseArray: {
    what: '{{what}}',
    why: 'V8 keeps such an array as a hash table: reading it took 19 to 32 times as long (Node 18 to 26).',
    remedy: 'Use a Map for keys that lie far apart; fill an array that long (`.fill(0)`) or use a typed array.',
  },
  overrunRead: {
    what: 'The last round reads `{{list}}[{{index}}]`, which lies past the end.',
    why: 'After one such read V8 checks every read at this place for the end: 1.4 to 3.7 times as long (Node 18 to 26).',
    remedy: 'Stop at `{{index}} < {{end}}`.',
  },
};
