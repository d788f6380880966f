// The rows that go out are made without the password, all alike.

export function summarise(rows) {
  const visible = rows.map((row) => ({
    id: row.id,
    name: row.name,
    region: row.region,
    price: row.price,
    count: row.count,
    since: row.since,
  }));
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
