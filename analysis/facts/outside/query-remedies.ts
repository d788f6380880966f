// What to do instead of one query for each element.
import { BATCH_OF_SQL, QUERY_DRIVERS, type Batch, type QueryDriver } from '../../../knowledge/query-calls.ts';
import type { Key } from './query-keys.ts';

/**
 * What a query does, as its `code` has it. `each`: changes a row. `returned`: also returns it. `row`: changes the same row each time. `other`: writes something else. `lookup`: reads what the
 * same function may insert afterward. `before`: reads in a function that writes something.
 */
const FORMS = ['read', 'insert', 'change', 'each', 'returned', 'delete', 'upsert', 'save', 'row', 'other', 'lookup', 'before'] as const;
export type Form = (typeof FORMS)[number];

/** @param driver its index in `QUERY_DRIVERS`; -1 for SQL whose driver is not known */
export function codeOf(driver: number, form: Form): number {
  return FORMS.length * driver + FORMS.indexOf(form);
}

/** Undefined for SQL whose driver is not known. */
export function driverOf(code: number): QueryDriver | undefined {
  return QUERY_DRIVERS[Math.floor(code / FORMS.length)];
}

export function formOfCode(code: number): Form {
  return FORMS[code - Math.floor(code / FORMS.length) * FORMS.length] as Form;
}

/** The same query in another form. */
export function withForm(code: number, form: Form): number {
  return codeOf(Math.floor(code / FORMS.length), form);
}

/** For messages: what to do instead of one query for each element. */
export function remedyOf(code: number, key: Key): string {
  return remedyFor(formOfCode(code), batchFor((driverOf(code) ?? { batch: BATCH_OF_SQL }).batch, key));
}

export function remedyFor(form: Form, batch: Batch): string {
  switch (form) {
    case 'read':
      return `Ask once for all of them${colon(batch.read)}.`;
    case 'lookup':
    case 'before':
      return remedyBesideWrites(form, batch.read);
    case 'insert':
      return `Insert all rows at once: ${batch.insert}.`;
    case 'change':
      return `Change all rows at once${colon(batch.change)}.`;
    case 'each':
      return batch.change === batch.each
        ? `Send all of them at once: ${batch.each}.`
        : `If all rows get the same values, change them at once${colon(batch.change)}. Different values take ${batch.each}.`;
    case 'returned':
      return `${remedyFor('each', batch)} Neither returns the rows: read them with one query afterward.`;
    case 'delete':
      return `Delete all of them at once${colon(batch.delete)}.`;
    case 'upsert':
      return `Write all rows at once: ${batch.upsert}.${/bulkWrite|pipeline/.test(batch.upsert) ? '' : ONE_FOR_EACH_KEY}`;
    case 'save':
      return batch.save ?? remedyFor('other', batch);
    case 'row':
      return 'All of them change the same row: gather the values, and write it once.';
    case 'other':
      return 'Write all rows with one statement, if what they get allows it.';
  }
}

/** @param read the form for many elements */
export function remedyBesideWrites(form: 'lookup' | 'before', read: string): string {
  return form === 'lookup'
    ? `Read all rows before the loop${colon(read)}. Add what the loop inserts to them, because a later element may look for it.`
    : `If no iteration changes what it or a later one reads, read all rows before the loop${colon(read)}.`;
}

// "ON CONFLICT DO UPDATE command cannot affect row a second time": https://www.postgresql.org/docs/current/sql-insert.html#SQL-ON-CONFLICT
const ONE_FOR_EACH_KEY = ' Combine rows with the same key first: PostgreSQL rejects a statement that would update one row twice.';

const colon = (text: string): string => (text === '' ? '' : `: ${text}`);

/** The forms for many elements with the key of the query in place of `id`, and without an example if there is no single key. */
export function batchFor(batch: Batch, key: Key): Batch {
  if (key === undefined) return batch;
  const named = (text: string): string =>
    key.name === undefined
      ? ''
      : text.replaceAll(/\b_?id\b/g, key.name).replaceAll(/\bids\b/g, /(?:^|_)id$|Id$|ID$/.test(key.name) ? 'ids' : 'values');
  return { ...batch, read: named(batch.read), change: named(batch.change), delete: named(batch.delete) };
}
