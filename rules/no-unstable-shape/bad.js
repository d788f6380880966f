// Every row loses its password before it goes out, and with it its shape: V8 keeps each of them as a hash table from then on.

export function summarise(rows) {
  const visible = rows.map((row) => {
    delete row.password;
    return row;
  });
  return { visible, totals: totalsByRegion(visible) };
}

function totalsByRegion(rows) {
  const totals = [0, 0, 0, 0];
  for (let month = 0; month < 12; month += 1) {
    for (const row of rows) {
      if (row.since <= month) totals[row.region] += row.price * row.count;
    }
  }
  return totals;
}
