// What JSON that others may have written must hold to be read without a surprise.
import { isRecord } from '../../protocol/unknown-values.ts';

export type Check = (value: unknown) => boolean;

export const string: Check = (value) => typeof value === 'string';
export const boolean: Check = (value) => typeof value === 'boolean';
/** JSON has no `NaN` and no `Infinity`. */
export const number: Check = (value) => typeof value === 'number';
/** What is no number (`NaN`, the logarithm of nothing) comes as null. */
export const orMissing =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
export const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const table =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
/** Other fields may be there, too. */
export const object = (fields: Readonly<Record<string, Check>>): Check => {
  const entries = Object.entries(fields);
  return (value) => isRecord(value) && entries.every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined));
};
