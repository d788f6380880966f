function add(a, b) {
  return a + b;
}

/** The sum of an order's lines. */
export function total(lines) {
  let sum = 0;
  for (const line of lines) sum = add(line * 1, sum);
  return sum;
}

/**
 * A name to print.
 * @profile total([1])
 * @profile label('Norway')
 */
export function label(country) {
  return add('order in ', country).normalize().toUpperCase();
  //     ^ no-polymorphic-call: types (seen)
}

// Called with what it is made for: it asks for the type first.
export function format(value) {
  if (typeof value === 'number') return value.toFixed(2);
  return String(value);
}
