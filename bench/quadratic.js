// What it takes to search, copy or shift a whole list for each element, by the length of the list: the table in
// rules/no-quadratic/README.md. Run it with the Node that you want to know about: node bench/quadratic.js
const SIZES = [100, 1000, 10_000, 100_000];
// Ten times as many take a hundred times as long, or more: what took longer than this ends here.
const LONGEST_MS = 50;

const names = (n) => Array.from({ length: n }, (_, i) => `name-${i}`);
const rows = (n) => names(n).map((id) => ({ id, group: id }));

const FORMS = {
  'list.includes(text)': (n) => {
    const [list, wanted] = [names(n), names(n)];
    return () => wanted.filter((one) => list.includes(one)).length;
  },
  'set.has(text)': (n) => {
    const [list, wanted] = [names(n), names(n)];
    return () => {
      const set = new Set(list);
      return wanted.filter((one) => set.has(one)).length;
    };
  },
  'list.find(by id)': (n) => {
    const [list, wanted] = [rows(n), rows(n)];
    return () => wanted.map((one) => list.find(({ id }) => id === one.id)).length;
  },
  'list.filter(by id)': (n) => {
    const [list, wanted] = [rows(n), rows(n)];
    return () => wanted.map((one) => list.filter(({ id }) => id === one.id)).length;
  },
  'for … for … if (a.id === b.id)': (n) => {
    const [list, wanted] = [rows(n), rows(n)];
    return () => {
      let found = 0;
      for (const one of wanted) {
        for (const other of list) {
          if (other.id === one.id) found++;
        }
      }
      return found;
    };
  },
  'exchanged in nested loops': (n) => {
    const source = Array.from({ length: n }, (_, i) => (i * 7919) % n);
    return () => {
      const list = [...source];
      for (let i = 0; i < list.length - 1; i++) {
        for (let j = i + 1; j < list.length; j++) {
          if (list[i] > list[j]) {
            const one = list[i];
            list[i] = list[j];
            list[j] = one;
          }
        }
      }
      return list;
    };
  },
  'list.sort(by number)': (n) => {
    const source = Array.from({ length: n }, (_, i) => (i * 7919) % n);
    return () => [...source].sort((a, b) => a - b);
  },
  'map.get(id)': (n) => {
    const [list, wanted] = [rows(n), rows(n)];
    return () => {
      const byId = new Map(list.map((one) => [one.id, one]));
      return wanted.map((one) => byId.get(one.id)).length;
    };
  },
  '{ ...all, [key]: value }': (n) => {
    const list = names(n);
    // biome-ignore lint/performance/noAccumulatingSpread: it is what is measured
    return () => list.reduce((all, one) => ({ ...all, [one]: 1 }), {});
  },
  'all[key] = value': (n) => {
    const list = names(n);
    return () => list.reduce((all, one) => ((all[one] = 1), all), {});
  },
  '[...all, one]': (n) => {
    const list = names(n);
    // biome-ignore lint/performance/noAccumulatingSpread: it is what is measured
    return () => list.reduce((all, one) => [...all, one], []);
  },
  'all.concat(one)': (n) => {
    const list = names(n);
    return () => list.reduce((all, one) => all.concat(one), []);
  },
  'all.push(one)': (n) => {
    const list = names(n);
    return () => list.reduce((all, one) => (all.push(one), all), []);
  },
  'list.shift()': (n) => {
    const list = names(n);
    return () => {
      const queue = [...list];
      let length = 0;
      while (queue.length > 0) length += queue.shift().length;
      return length;
    };
  },
  'list.unshift(one)': (n) => {
    const list = names(n);
    return () => {
      const all = [];
      for (const one of list) all.unshift(one);
      return all;
    };
  },
  'Object.keys(all).length': (n) => {
    const list = names(n);
    return () => {
      const all = {};
      for (const one of list) all[one] = Object.keys(all).length;
      return all;
    };
  },
  'text = text.slice(1)': (n) => {
    const source = 'abcdefghij'.repeat(n / 10);
    return () => {
      let text = source;
      let sum = 0;
      while (text.length > 0) {
        sum += text.charCodeAt(0);
        text = text.slice(1);
      }
      return sum;
    };
  },
  'Buffer.concat([all, chunk]), 16 KB each': (n) => {
    const chunks = Array.from({ length: n / 100 }, () => Buffer.alloc(16_384, 1));
    return () => {
      let all = Buffer.alloc(0);
      for (const chunk of chunks) all = Buffer.concat([all, chunk]);
      return all.length;
    };
  },
  'Buffer.concat(chunks), 16 KB each': (n) => {
    const chunks = Array.from({ length: n / 100 }, () => Buffer.alloc(16_384, 1));
    return () => Buffer.concat(chunks).length;
  },
};

// n rows of ten columns.
const COLUMNS = names(10);
const row = COLUMNS.map((name, value) => ({ name, value }));
FORMS['{ ...all, [key]: value }, 10 columns of each row'] = (n) => () =>
  // biome-ignore lint/performance/noAccumulatingSpread: this is what is measured
  Array.from({ length: n }, () => row.reduce((all, { name, value }) => ({ ...all, [name]: value }), {}));
FORMS['all[key] = value, 10 columns of each row'] = (n) => () =>
  Array.from({ length: n }, () =>
    row.reduce((all, { name, value }) => {
      all[name] = value;
      return all;
    }, {}),
  );

console.log(`Node ${process.versions.node}`);
let kept;
for (const [name, make] of Object.entries(FORMS)) {
  const cells = [];
  let last = 0;
  for (const n of SIZES) {
    if (last > LONGEST_MS) {
      cells.push('–');
      continue;
    }
    const run = make(n);
    const times = [];
    const rounds = last > 100 ? 3 : 7;
    for (let i = 0; i < rounds; i++) {
      const start = process.hrtime.bigint();
      kept = run();
      times.push(Number(process.hrtime.bigint() - start) / 1e6);
      if (times[i] > 1000) break;
    }
    last = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    cells.push(String(Number(last.toPrecision(2))));
  }
  console.log(`| \`${name}\` | ${cells.join(' | ')} |`);
}
if (kept === undefined) throw new Error('nothing ran');
