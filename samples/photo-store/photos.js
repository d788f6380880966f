const photo = new Uint8Array(200_000).map((_, i) => (i * 7919) & 255);
const rows = Array.from({ length: 40 }, (_, i) => ({ id: i, about: 'Größe „漢字“ '.repeat(1000), place: 'lake' }));

/** Stands in for a store that answers at once. */
export const photos = {
  async get(name) {
    return new Response(photo, { headers: { 'x-name': name } });
  },
  async icon(name) {
    return new Response(photo.subarray(0, 2000), { headers: { 'x-name': name } });
  },
  async list(place) {
    return rows.filter((row) => row.place === place);
  },
};
