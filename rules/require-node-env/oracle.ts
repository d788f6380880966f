import type { Oracle } from '../shared/oracle.ts';

// A page of an ordinary list; more rows would measure the rendering that both share instead of the compilation.
const ITEMS = Array.from({ length: 20 }, (_, id) => ({ id, name: `Item ${id}`, done: id % 3 === 0 }));

export const oracle: Oracle = {
  exportName: 'renderList',
  args: () => ['Things to do', ITEMS.map((item) => ({ ...item }))],
  calls: 20,
  metric: 'time-ratio',
  // Without HTTP around it the ratio is higher than the 11 to 33 of whole requests; ten is far from 1 and below both.
  atLeast: 10,
  nodeRange: '>=18',
  why: "Express 5 and pug 3, one page: what differs is only whether NODE_ENV was there when the application was made. It shows the view cache, which is where NODE_ENV costs time; the load test on a server of the user's own shows what that is worth beside everything else a request does.",
};
