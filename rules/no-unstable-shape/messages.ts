// The messages of the rule. Figures are this rule's own measurements (README, "Measured") on Node 18 to 26.
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
    what: '`delete` removes {{fields}} from {{each}}.',
    why: '{{when}}V8 then stores the object as a hash table: reading its fields took 6 to 15 times as long, and JSON.stringify 1.7 to 4 times (Node 18 to 26). Each delete took about 0.2 µs.',
    remedy:
      'Build the records without the field (select fewer columns, or copy with `const { field, ...rest } = record`), or, where nothing lists the keys, clear the value and keep the key.',
  },
  conditionalFields: {
    what: 'These records get {{fields}} {{how}}, so they may have {{count}} shapes.',
    why: '{{cost}} Records that are only sent as JSON do not benefit from a fix.',
    remedy: 'If hot code reads them, give every record all fields from the start, empty where there is no value.',
  },
  keyOrder: {
    what: 'This literal has the same keys as another one in a different order, and both reach {{place}}.',
    why: 'A different order is a different shape. Hot code that reads both took 1.3 to 1.7 times as long, and 7 to 9 times with five orders (Node 18 to 26).',
    remedy: 'Write the keys in the same order.',
  },
  replacedPrototype: {
    what: 'This replaces the prototype of {{each}} after its creation.',
    why: '{{cost}}',
    remedy: 'Create the objects with their prototype: use `new` with a class, or `Object.create(prototype)` before you add the fields.',
  },
  replacedPerRequest: {
    what: 'This replaces the prototype of an object on every request.',
    why: '{{cost}}',
    remedy:
      'Let the server create its objects with the prototype (the `IncomingMessage` and `ServerResponse` options of `http.createServer`), or keep your methods in a separate object.',
  },
  sparseArray: {
    what: '{{what}}',
    why: 'V8 stores such an array as a hash table. Reading it took 19 to 32 times as long (Node 18 to 26).',
    remedy: 'Use a Map for sparse keys. For an array that long, use `.fill(0)` or a typed array.',
  },
  overrunRead: {
    what: 'The last iteration reads `{{list}}[{{index}}]`, which is past the end.',
    why: 'After one such read, V8 checks every read at this location for the end, which takes 1.4 to 3.7 times as long (Node 18 to 26).',
    remedy: 'Stop at `{{index}} < {{end}}`.',
  },
};
