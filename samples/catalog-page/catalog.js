const products = Array.from({ length: 500 }, (_, i) => ({
  id: i,
  name: `product ${(i * 7919) % 500}`,
  price: (i * 31) % 997,
  labels: ['a', 'b'],
  size: { width: i, height: 2 * i },
}));
const text = JSON.stringify({ season: 'spring', products });

/** Stands in for a cache on another machine, so that the sample needs none. */
export const cache = { get: async () => text };

/** What the process has in its memory, for all requests. */
export const stock = { products };
