// Exceptions in loops and handlers: in many runs, in few, in none, and elsewhere in the same function.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, neverRuns, pair, throwsIn } from '../checks.ts';
import { asked, called, program } from './shared.ts';

const finding = (at: string, messageId: string) => ({ ruleId: 'no-throw-in-hot-path', messageId, at });

/** Which of the links are addresses. */
const LINKS = dedent`
  const GOOD = Array.from({ length: 100 }, (_, i) => 'http://a.b/' + i);
  const BAD = GOOD.map((_, i) => 'no address ' + i);
  function valid(links) {
    let count = 0;
    for (const link of links) {
      try {
        new URL(link);
        count++;
      } catch {
        count--;
      }
    }
    return count;
  }
  module.exports = { valid, GOOD, BAD };
`;
const LINKS_COUNTED = [
  edit('new URL(link);', "__hit('try'); __hit('place'); new URL(link);"),
  edit('count--;', "__hit('caught'); count--;"),
];

/** The hosts of links. */
const HOSTS = dedent`
  const GOOD = Array.from({ length: 100 }, (_, i) => 'http://a.b/' + i);
  const HALF = GOOD.map((link, i) => (i % 2 ? link : 'no address ' + i));
  function hosts(links) {
    let length = 0;
    for (const link of links) {
      try {
        length += new URL(link).host.length;
      } catch {
        length--;
      }
    }
    return length;
  }
  module.exports = { hosts, GOOD, HALF };
`;
const HOSTS_COUNTED = [edit('length += new', "__hit('try'); length += new"), edit('length--;', "__hit('caught'); length--;")];

/** Which texts are JSON. */
const CHECKS = dedent`
  const GOOD = Array.from({ length: 200 }, (_, i) => '[' + i + ']');
  const HALF = GOOD.map((text, i) => (i % 2 ? text : 'plain ' + i));
  function check(list) {
    let count = 0;
    for (const text of list) {
      try {
        JSON.parse(text);
        count++;
      } catch {
        count--;
      }
    }
    return count;
  }
  module.exports = { check, GOOD, HALF };
`;
const CHECKS_COUNTED = [edit('JSON.parse(text);', "__hit('try'); JSON.parse(text);"), edit('count--;', "__hit('caught'); count--;")];

/** Texts of which some are JSON. */
const texts = (good: string, every: number): string => dedent`
  const TEXTS = Array.from({ length: 5000 }, (_, i) => (i % ${every} === 7 ? 'plain text' : ${good}));
  const WELL = TEXTS.map(() => ${good});
  function decode(list) {
    let length = 0;
    for (const text of list) {
      let value;
      try {
        value = JSON.parse(text);
      } catch {
        value = text;
      }
      length += value.length;
    }
    return length;
  }
  module.exports = { decode, TEXTS, WELL };
`;
const TEXTS_COUNTED = [
  edit('value = JSON.parse(text);', "__hit('try'); value = JSON.parse(text);"),
  edit('value = text;', "__hit('caught'); value = text;"),
];

const ROWS = dedent`
  const ROWS = Array.from({ length: 500 }, (_, i) => ({ price: i % 2 ? i : String(i) }));
  const GOOD = ROWS.map((_, i) => ({ price: i }));
  function total(rows) {
    let sum = 0;
    let bad = 0;
    for (const row of rows) {
      try {
        if (typeof row.price !== 'number') throw new Error('no price');
        sum += row.price;
      } catch (error) {
        bad += error.message.length;
      }
    }
    return sum + bad;
  }
  module.exports = { total, ROWS, GOOD };
`;
const ROWS_COUNTED = [edit('if (typeof', "__hit('try'); if (typeof"), edit('bad += error', "__hit('caught'); bad += error")];

const swallowed = (before = '', after = ''): string => dedent`
  const MIXED = Array.from({ length: 300 }, (_, i) => (i % 3 ? String(i) : 'x' + i));
  const GOOD = MIXED.map((_, i) => String(i));
  const work = (n) => { let all = 0; for (let i = 0; i < n; i++) all = (all * 31 + i) | 0; return all; };
  function toNumber(text) {
    const n = Number(text);
    if (Number.isNaN(n)) throw new Error('no number: ' + text);
    return n;
  }
  function sum(list) {
    let total = 0;
    for (const text of list) {
      ${before}
      try {
        total += toNumber(text);
      } catch {
        total += 1;
      }
      ${after}
    }
    return total;
  }
  module.exports = { sum, MIXED, GOOD };
`;
const SWALLOWED_FIX = [
  edit("throw new Error('no number: ' + text)", 'return null'),
  edit('total += toNumber(text);', 'const n = toNumber(text); total += n === null ? 1 : n;'),
];

export const cases: readonly TruthCase[] = [
  {
    name: 'no link is an address',
    ...called(LINKS, 'valid', 'valid(BAD)'),
    finding: finding('try {', 'urlProbe'),
    truth: 'confirmed',
    established: [throwsIn(1, 1, ...LINKS_COUNTED), pair(edit('new URL(link);', 'if (!URL.canParse(link)) { count--; continue; }'))],
    inCi: true,
  },
  {
    name: 'all links are addresses',
    ...called(LINKS, 'valid', 'valid(GOOD)'),
    finding: finding('try {', 'urlProbe'),
    truth: 'refuted',
    established: [throwsIn(0, 0, ...LINKS_COUNTED)],
    inCi: true,
  },
  {
    name: 'there are no links',
    ...called(LINKS, 'valid', 'valid([])'),
    finding: finding('try {', 'urlProbe'),
    truth: 'not-reached',
    established: [neverRuns(...LINKS_COUNTED)],
  },
  {
    name: 'all links are addresses, and another try of the function throws',
    ...called(
      dedent`
        const GOOD = Array.from({ length: 40 }, (_, i) => 'http://a.b/' + i);
        function fail() { throw new Error('no'); }
        function valid(links) {
          let count = 0;
          for (const link of links) {
            try { new URL(link); count++; } catch { count--; }
          }
          try { fail(); } catch { count = -count; }
          return count;
        }
        module.exports = { valid, GOOD };
      `,
      'valid',
      'valid(GOOD)',
    ),
    finding: finding('try { new URL(link)', 'urlProbe'),
    truth: 'refuted',
    established: [throwsIn(0, 0, edit('new URL(link);', "__hit('try'); new URL(link);"), edit('count--;', "__hit('caught'); count--;"))],
    inCi: true,
  },
  {
    name: 'all links are addresses, and what is called before the try throws and catches',
    ...called(
      dedent`
        const GOOD = Array.from({ length: 40 }, (_, i) => 'http://a.b/' + i);
        function known(text) {
          try { return JSON.parse(text); } catch { return text; }
        }
        function valid(links) {
          let count = 0;
          for (const link of links) {
            const text = known(link);
            try { new URL(text); count++; } catch { count--; }
          }
          return count;
        }
        module.exports = { valid, GOOD };
      `,
      'valid',
      'valid(GOOD)',
    ),
    finding: finding('try { new URL(text)', 'urlProbe'),
    truth: 'refuted',
    established: [throwsIn(0, 0, edit('new URL(text);', "__hit('try'); new URL(text);"), edit('count--;', "__hit('caught'); count--;"))],
  },
  {
    name: 'half of the links are addresses, of which the hosts are read',
    ...called(HOSTS, 'hosts', 'hosts(HALF)'),
    finding: finding('try {', 'urlFallback'),
    truth: 'confirmed',
    established: [
      throwsIn(0.49, 0.51, ...HOSTS_COUNTED),
      pair(edit('try {', "if (!link.startsWith('http')) { length--; continue; }\n    try {")),
    ],
  },
  {
    name: 'all links are addresses, and their hosts are read',
    ...called(HOSTS, 'hosts', 'hosts(GOOD)'),
    finding: finding('try {', 'urlFallback'),
    truth: 'refuted',
    established: [throwsIn(0, 0, ...HOSTS_COUNTED)],
  },
  {
    name: 'half of the texts are JSON, and nothing else is asked',
    ...called(CHECKS, 'check', 'check(HALF)'),
    finding: finding('try {', 'jsonProbe'),
    truth: 'confirmed',
    established: [throwsIn(0.49, 0.51, ...CHECKS_COUNTED), pair(edit('try {', "if (text[0] !== '[') { count--; continue; }\n    try {"))],
  },
  {
    name: 'all texts are JSON, and nothing else is asked',
    ...called(CHECKS, 'check', 'check(GOOD)'),
    finding: finding('try {', 'jsonProbe'),
    truth: 'refuted',
    established: [throwsIn(0, 0, ...CHECKS_COUNTED)],
  },
  {
    name: 'each second text is JSON',
    ...called(texts("'[1,2]'", 2).replace('=== 7', '=== 1'), 'decode', 'decode(TEXTS)', { rounds: 3 }),
    finding: finding('try {', 'jsonFallback'),
    truth: 'confirmed',
    established: [
      throwsIn(0.49, 0.51, ...TEXTS_COUNTED),
      pair(edit('try {', "if (text[0] !== '[') { length += text.length; continue; }\n      try {")),
    ],
  },
  {
    name: 'one of 25 texts is no JSON',
    ...called(texts("'[1,2]'", 25), 'decode', 'decode(TEXTS)', { rounds: 3 }),
    finding: finding('try {', 'jsonFallback'),
    truth: 'confirmed',
    established: [
      throwsIn(0.039, 0.041, ...TEXTS_COUNTED),
      pair(edit('try {', "if (text[0] !== '[') { length += text.length; continue; }\n      try {")),
    ],
  },
  {
    name: 'one of 5000 texts is no JSON',
    ...called(texts("'[1,2,3,4,5,6,7,8,9,10]'", 5000), 'decode', 'decode(TEXTS)', { rounds: 3 }),
    finding: finding('try {', 'jsonFallback'),
    truth: 'seen',
    established: [
      throwsIn(0.0001, 0.0003, ...TEXTS_COUNTED),
      pair(edit('try {', "if (text[0] !== '[') { length += text.length; continue; }\n      try {")),
    ],
  },
  {
    name: 'all texts are JSON',
    ...called(texts("'[1,2]'", 25), 'decode', 'decode(WELL)', { rounds: 3 }),
    finding: finding('try {', 'jsonFallback'),
    truth: 'refuted',
    established: [throwsIn(0, 0, ...TEXTS_COUNTED)],
  },
  {
    name: 'a text is cut until it is JSON',
    ...called(
      dedent`
        const TEXT = '[1,2,3]' + ' and more'.repeat(6);
        function salvage(text) {
          for (let end = text.length; end > 0; end--) {
            try {
              return JSON.parse(text.slice(0, end));
            } catch {
              continue;
            }
          }
        }
        module.exports = { salvage, TEXT };
      `,
      'salvage',
      'salvage(TEXT)',
    ),
    finding: finding('try {', 'jsonUntil'),
    truth: 'confirmed',
    established: [
      throwsIn(0.9, 1, edit('return JSON', "__hit('try'); return JSON"), edit('continue;', "__hit('caught'); continue;")),
      pair(edit('try {', "if (text[end - 1] !== ']') continue; try {")),
    ],
  },
  {
    name: 'a text that is JSON as it is',
    ...called(
      dedent`
        const TEXT = '[1,2,3]';
        function salvage(text) {
          for (let end = text.length; end > 0; end--) {
            try {
              return JSON.parse(text.slice(0, end));
            } catch {
              continue;
            }
          }
        }
        module.exports = { salvage, TEXT };
      `,
      'salvage',
      'salvage(TEXT)',
    ),
    finding: finding('try {', 'jsonUntil'),
    truth: 'refuted',
    established: [throwsIn(0, 0, edit('return JSON', "__hit('try'); return JSON"), edit('continue;', "__hit('caught'); continue;"))],
  },
  {
    name: 'BigInt as a question, and no is the answer',
    ...called(
      dedent`
        const TEXTS = Array.from({ length: 60 }, (_, i) => (i % 2 ? String(i) : 'x' + i));
        function isInteger(text) {
          try {
            BigInt(text);
            return true;
          } catch {
            return false;
          }
        }
        const integers = (texts) => texts.filter((text) => isInteger(text)).length;
        module.exports = { integers, isInteger, TEXTS };
      `,
      'integers',
      'integers(TEXTS)',
    ),
    finding: finding('try {', 'throwingTest'),
    truth: 'confirmed',
    established: [
      throwsIn(0.5, 0.5, edit('BigInt(text);', "__hit('try'); BigInt(text);"), edit('return false;', "__hit('caught'); return false;")),
      pair(edit('try {', 'if (!/^[0-9]+$/.test(text)) return false; try {')),
    ],
  },
  {
    name: 'BigInt as a question, and yes is the answer',
    ...called(
      dedent`
        const TEXTS = Array.from({ length: 60 }, (_, i) => String(i));
        function isInteger(text) {
          try {
            BigInt(text);
            return true;
          } catch {
            return false;
          }
        }
        const integers = (texts) => texts.filter((text) => isInteger(text)).length;
        module.exports = { integers, isInteger, TEXTS };
      `,
      'integers',
      'integers(TEXTS)',
    ),
    finding: finding('try {', 'throwingTest'),
    truth: 'refuted',
    established: [
      throwsIn(0, 0, edit('BigInt(text);', "__hit('try'); BigInt(text);"), edit('return false;', "__hit('caught'); return false;")),
    ],
  },
  {
    name: 'a file that is missing is asked for',
    ...called(
      dedent`
        import { accessSync } from 'node:fs';
        export const PATHS = Array.from({ length: 20 }, (_, i) => '/no/such/file/' + i);
        export function present(paths) {
          let count = 0;
          for (const path of paths) {
            try {
              accessSync(path);
              count++;
            } catch {
              count--;
            }
          }
          return count;
        }
      `,
      'present',
      'present(PATHS)',
      {},
      'a.mjs',
    ),
    finding: finding('try {', 'accessProbe'),
    truth: 'confirmed',
    established: [
      throwsIn(1, 1, edit('accessSync(path);', "__hit('try'); accessSync(path);"), edit('count--;', "__hit('caught'); count--;")),
      pair(edit('{ accessSync }', '{ accessSync, existsSync }'), edit('try {', 'if (!existsSync(path)) { count--; continue; } try {')),
    ],
  },
  {
    name: 'a path that ends early, by TypeError',
    ...called(
      dedent`
        const OBJECTS = Array.from({ length: 200 }, (_, i) => (i % 2 ? { a: { b: { c: i } } } : { id: i }));
        function sum(objects) {
          let all = 0;
          for (const one of objects) {
            try {
              all += one.a.b.c;
            } catch {
              all += 1;
            }
          }
          return all;
        }
        module.exports = { sum, OBJECTS };
      `,
      'sum',
      'sum(OBJECTS)',
    ),
    finding: finding('try {', 'typeErrorProbe'),
    truth: 'confirmed',
    established: [
      throwsIn(0.5, 0.5, edit('all += one.a.b.c;', "__hit('try'); all += one.a.b.c;"), edit('all += 1;', "__hit('caught'); all += 1;")),
      pair(edit('all += one.a.b.c;', 'const c = one.a?.b?.c; all += c === undefined ? 1 : c;')),
    ],
  },
  {
    name: 'one key after the other is tried',
    ...called(
      dedent`
        const KEYS = Array.from({ length: 8 }, (_, i) => 'key' + i);
        function openSealed(box, key) {
          if (box.key !== key) throw new Error('wrong key');
          return box.text;
        }
        function open(box, keys) {
          for (const key of keys) {
            try {
              return openSealed(box, key);
            } catch {}
          }
          return '';
        }
        module.exports = { open, KEYS };
      `,
      'open',
      "open({ key: 'key7', text: 'a' }, KEYS)",
    ),
    finding: finding('try {', 'candidateLoop'),
    truth: 'confirmed',
    established: [
      throwsIn(0.8, 0.9, edit('return openSealed', "__hit('try'); return openSealed"), edit('catch {}', "catch { __hit('caught'); }")),
      pair(edit('try {', 'if (box.key !== key) continue; try {')),
    ],
  },
  {
    name: 'the first key fits',
    ...called(
      dedent`
        const KEYS = Array.from({ length: 8 }, (_, i) => 'key' + i);
        function openSealed(box, key) {
          if (box.key !== key) throw new Error('wrong key');
          return box.text;
        }
        function open(box, keys) {
          for (const key of keys) {
            try {
              return openSealed(box, key);
            } catch {}
          }
          return '';
        }
        module.exports = { open, KEYS };
      `,
      'open',
      "open({ key: 'key0', text: 'a' }, KEYS)",
    ),
    finding: finding('try {', 'candidateLoop'),
    truth: 'refuted',
    established: [
      throwsIn(0, 0, edit('return openSealed', "__hit('try'); return openSealed"), edit('catch {}', "catch { __hit('caught'); }")),
    ],
  },
  {
    name: 'each second row has no price',
    ...called(ROWS, 'total', 'total(ROWS)', { rounds: 5 }),
    finding: finding('throw new', 'caughtThrow'),
    truth: 'confirmed',
    established: [
      throwsIn(0.5, 0.5, ...ROWS_COUNTED),
      pair(edit("throw new Error('no price');", "{ bad += 'no price'.length; continue; }")),
    ],
  },
  {
    name: 'all rows have a price',
    ...called(ROWS, 'total', 'total(GOOD)', { rounds: 5 }),
    finding: finding('throw new', 'caughtThrow'),
    truth: 'not-reached',
    established: [neverRuns(edit('throw new Error', "throw __hit('place'), new Error"))],
  },
  {
    name: 'there are no rows',
    ...called(ROWS, 'total', 'total([])'),
    finding: finding('throw new', 'caughtThrow'),
    truth: 'not-reached',
    established: [neverRuns(edit('throw new Error', "throw __hit('place'), new Error"))],
  },
  {
    name: 'in TypeScript, one of three rows',
    ...called(
      dedent`
        interface Row { price: number | string }
        export const ROWS: Row[] = Array.from({ length: 300 }, (_, i) => ({ price: i % 3 ? i : String(i) }));
        export function total(rows: readonly Row[]): number {
          let sum = 0;
          for (const row of rows) {
            try {
              if (typeof row.price !== 'number') throw new Error('no price');
              sum += row.price;
            } catch (error) {
              sum += (error as Error).message.length;
            }
          }
          return sum;
        }
      `,
      'total',
      'total(ROWS)',
      { rounds: 5 },
      'a.mts',
    ),
    finding: finding('throw new', 'caughtThrow'),
    truth: 'confirmed',
    established: [
      throwsIn(0.3, 0.4, edit('if (typeof', "__hit('try'); if (typeof"), edit('sum += (error', "__hit('caught'); sum += (error")),
      pair(edit("throw new Error('no price');", "{ sum += 'no price'.length; continue; }")),
    ],
  },
  {
    name: 'a third of the texts are no numbers',
    ...called(swallowed(), 'sum', 'sum(MIXED)', { rounds: 5 }),
    finding: finding('try {', 'swallowedThrow'),
    truth: 'confirmed',
    established: [
      throwsIn(0.3, 0.4, edit('total += toNumber', "__hit('try'); total += toNumber"), edit('total += 1;', "__hit('caught'); total += 1;")),
      pair(...SWALLOWED_FIX),
    ],
  },
  {
    name: 'a third of the texts are no numbers, beside work of 0.1 ms',
    ...called(swallowed('', 'total += work(100_000) & 1;'), 'sum', 'sum(MIXED.slice(0, 30))', { rounds: 3 }),
    finding: finding('try {', 'swallowedThrow'),
    truth: 'seen',
    established: [
      throwsIn(0.3, 0.4, edit('total += toNumber', "__hit('try'); total += toNumber"), edit('total += 1;', "__hit('caught'); total += 1;")),
      pair(...SWALLOWED_FIX),
    ],
  },
  {
    name: 'all texts are numbers',
    ...called(swallowed(), 'sum', 'sum(GOOD)', { rounds: 5 }),
    finding: finding('try {', 'swallowedThrow'),
    truth: 'refuted',
    established: [
      throwsIn(0, 0, edit('total += toNumber', "__hit('try'); total += toNumber"), edit('total += 1;', "__hit('caught'); total += 1;")),
    ],
  },
  {
    name: 'a throw in each request that takes 5 ms',
    ...asked(
      dedent`
        const http = require('node:http');
        function handle(req, res) {
          let order;
          try {
            if (!req.headers.order) throw new TypeError('an order, please');
            order = req.headers.order.trim();
          } catch {
            order = 'name';
          }
          setTimeout(() => res.end(order), 5);
        }
        http.createServer(handle).listen(3000);
      `,
    ),
    finding: finding('throw new', 'caughtThrow'),
    truth: 'seen',
    established: [
      throwsIn(1, 1, edit('if (!req', "__hit('try'); if (!req"), edit("order = 'name'", "__hit('caught'); order = 'name'")),
      pair(edit("throw new TypeError('an order, please');", "order = 'name'; else")),
    ],
  },
  {
    name: 'the stack of each item is read',
    ...called(
      dedent`
        const CALLS = Array.from({ length: 50 }, (_, i) => i);
        function trace(calls) {
          const out = [];
          for (const call of calls) {
            out.push([call, new Error().stack]);
          }
          return out.length;
        }
        module.exports = { trace, CALLS };
      `,
      'trace',
      'trace(CALLS)',
    ),
    finding: finding('new Error().stack', 'stackRead'),
    truth: 'confirmed',
    established: [pair(edit('new Error().stack', "''"))],
  },
  {
    name: 'the stack is read where there is no item',
    ...called(
      dedent`
        function trace(calls) {
          const out = [];
          for (const call of calls) {
            out.push([call, new Error().stack]);
          }
          return out.length;
        }
        module.exports = { trace };
      `,
      'trace',
      'trace([])',
    ),
    finding: finding('new Error().stack', 'stackRead'),
    truth: 'not-reached',
    established: [neverRuns(edit('new Error().stack', "(__hit('place'), new Error().stack)"))],
  },
  {
    name: 'a program whose links are no addresses',
    ...program(
      dedent`
        const links = Array.from({ length: 3000 }, (_, i) => (i % 2 ? 'http://a.b/' + i : 'no address ' + i));
        function valid(link) {
          try {
            new URL(link);
            return true;
          } catch {
            return false;
          }
        }
        let left = 5;
        const go = () => {
          const count = links.filter((link) => valid(link)).length;
          if (left-- > 0) setTimeout(go, 5);
          else console.log(count);
        };
        setTimeout(go, 200);
      `,
    ),
    finding: finding('try {', 'urlProbe'),
    truth: 'confirmed',
    established: [
      throwsIn(0.5, 0.5, edit('new URL(link);', "__hit('try'); new URL(link);"), edit('return false;', "__hit('caught'); return false;")),
    ],
  },
];
