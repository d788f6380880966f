// From where on a row is worth a report, on each of the versions measured.

/** At 1,000 requests per second, 10 µs are 1 % of a processor. */
export const PER_CALL = { ratio: 2, low: 1.5, ns: 10_000 };
/** For a list of 1,000 items, this is 1 ms. */
export const PER_ITEM = { ratio: 2, low: 1.5, ns: 1000 };

/** Above a bar, and not reported all the same. */
export const SILENT = {
  'util.inspect(value) / JSON.stringify(value)': 'no: another text',
  'crypto.verify with a PEM text / with a KeyObject, RSA': 'no: the call does not show the kind of key',
  'crypto.sign with a PEM text / with a KeyObject, P-256': 'no: the call does not show the kind of key',
};
