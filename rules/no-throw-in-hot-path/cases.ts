import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { fixCases } from './cases-fixes.ts';
import { innocents } from './cases-innocents.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const OLD = { nodeRange: '^6 || ^8' };
const NEW = { nodeRange: '>=20' };

const CAN_PARSE = dedent`
  const express = require('express');
  const app = express();
  const isUrl = (text) => { return URL.canParse(text); };
  app.post('/u', (req, res) => {
    if (!isUrl(req.body.text)) req.body.text = req.body.text.trim();
    res.json(isUrl(req.body.text) ? { url: req.body.text } : { text: req.body.text });
  });
`;

export const cases: RuleCases<MessageId> = {
  valid: innocents,
  invalid: [
    {
      name: 'the first try, and not the one in its catch, which only runs after a failure',
      code: dedent`
        import express from 'express';
        const app = express();
        app.post('/', (req, res) => res.json(req.body.sites.map(hostOf)));
        function hostOf(site) {
          «try» {
            return new URL(site).hostname;
          } catch {
            try {
              return new URL('https://' + site).hostname;
            } catch {
              return '';
            }
          }
        }
      `,
      findings: [{ messageId: 'urlFallback' }],
    },
    {
      name: 'the path leads to the function with the loop',
      code: dedent`
        import { toCents } from './cents.js';
        function amountOf(row) {
          «try» {
            return toCents(row.amount);
          } catch {
            return 0;
          }
        }
        export const one = (row) => ({ amount: amountOf(row) });
        export const all = (rows) => rows.map((row) => amountOf(row));
      `,
      file: 'src/payments.js',
      others: {
        'src/cents.js':
          "export function toCents(value) {\n  if (!Number.isFinite(value)) throw new Error('no number');\n  return value * 100;\n}\n",
        'src/server.js': dedent`
          import express from 'express';
          import { all, one } from './payments.js';
          const app = express();
          app.post('/one', (req, res) => res.json(one(req.body)));
          app.post('/all', (req, res) => res.json(all(req.body)));
        `,
      },
      findings: [{ messageId: 'swallowedThrow', route: 'POST /all' }],
    },
    {
      name: 'lists of two are no loop: a tuple, and the keys of a literal',
      file: 'src/links.ts',
      code: dedent`
      import express from 'express';
      const app = express();
      const PARTS = { home: 'a', blog: 'b' };
      function isValid(pair: [string, string]): boolean {
        return pair.every((one) => { «try» { new URL(one); return true; } catch { return false; } });
      }
      app.post('/', (req, res) => {
        const wrong = Object.keys(PARTS).filter((name) => { «try» { new URL(req.body[name]); return false; } catch { return true; } });
        res.json(isValid(req.body.pair) ? wrong : []);
      });
    `,
      findings: [
        { messageId: 'urlProbe', data: { often: 'on each request to POST /' }, refused: ['`URL.canParse` requires'] },
        { messageId: 'urlProbe', data: { often: 'on each request to POST /' }, refused: ['throws if there is no `req.body`'] },
      ],
    },
    {
      name: 'the keys of a literal that others add to',
      code: dedent`
        import express from 'express';
        const app = express();
        const parts = { home: 'a', blog: 'b' };
        app.post('/add', (req, res) => { parts[req.body.name] = req.body.url; res.end(); });
        app.post('/', (req, res) => {
          res.json(Object.keys(parts).filter((name) => { «try» { new URL(req.body[name]); return false; } catch { return true; } }));
        });
      `,
      findings: [{ messageId: 'urlProbe', data: { often: 'for each item of `filter`' }, refused: ['throws if there is no `req.body`'] }],
    },
    {
      name: 'one address, where the request does nothing slow',
      code: dedent`
        import express from 'express';
        const app = express();
        app.get('/', (req, res) => {
          res.end();
          «try» { new URL(req.query.url); return true; } catch { return false; }
        });
      `,
      findings: [{ messageId: 'urlProbe', data: { often: 'on each request to GET /' }, refused: ['`URL.canParse` requires'] }],
    },
    // ---- new URL
    {
      name: 'a server that also builds a program for browsers',
      file: 'src/links.js',
      project: {
        ...NEW,
        manifest: {
          bin: [],
          scripts: {},
          dependencies: { express: '^4.0.0' },
          devDependencies: { 'react-scripts': '5.0.1' },
          private: true,
        },
      },
      code: 'export const good = (links) => links.filter((link) => { «try» { new URL(link); return true; } catch { return false; } });',
      findings: [
        {
          messageId: 'urlProbe',
          fixes: [{ kind: 'suggestion', output: 'export const good = (links) => links.filter((link) => { return URL.canParse(link); });' }],
        },
      ],
    },
    {
      name: 'what a helper of the routes is given by requests, and by settings, too',
      project: NEW,
      code: dedent`
        import express from 'express';
        export default function (options) {
          const router = express.Router();
          router.post('/', (req, res) => res.json(req.body.links.map((link) => normal(link))));
          return router;
        }
        function normal(text) {
          «try» { return new URL(text).toString(); } catch { return ''; }
        }
      `,
      findings: [
        {
          messageId: 'urlFallback',
          severity: 'hint',
          fixes: [],
          refused: ['each valid URL would be parsed twice'],
        },
      ],
    },
    {
      name: 'a value is made of the address, and a bad one is left out',
      project: NEW,
      code: dedent`
        export const hosts = (links) => links.map((link) => {
          «try» {
            return new URL(link).host;
          } catch {
            return "";
          }
        });
      `,
      findings: [
        {
          messageId: 'urlFallback',
          severity: 'hint',
          data: { name: 'new URL(link)', often: 'for each item of `map`' },
          related: ['this throws', '`map` calls it once per item'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Check with `URL.canParse` first',
              output: dedent`
                  export const hosts = (links) => links.map((link) => {
                    if (!URL.canParse(link)) {
                      return "";
                    }
                    return new URL(link).host;
                  });
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'whether a text is an address: both are ordinary answers',
      project: NEW,
      code: dedent`
        const express = require('express');
        const app = express();
        const isUrl = (text) => { «try» { new URL(text); return true; } catch { return false; } };
        app.post('/u', (req, res) => {
          if (!isUrl(req.body.text)) req.body.text = req.body.text.trim();
          res.json(isUrl(req.body.text) ? { url: req.body.text } : { text: req.body.text });
        });
      `,
      findings: [{ messageId: 'urlProbe', fixes: [{ kind: 'suggestion', title: 'Use `URL.canParse`', output: CAN_PARSE }] }],
    },
    {
      name: 'no fix where the catch reads the error',
      project: NEW,
      code: dedent`
        export function check(links) {
          const bad = [];
          for (const link of links) {
            «try» { new URL(link); } catch (error) { bad.push(error.code); }
          }
          return bad;
        }
      `,
      findings: [{ messageId: 'urlProbe' }],
    },
    {
      name: 'imported under another name, called per item',
      project: { nodeRange: '>=22.1' },
      code: dedent`
        const { URL: Address } = require('url');
        function protocolOf(text) {
          «try» { return new Address(text).protocol; } catch (e) { seen(e.code); }
        }
        exports.all = (list) => list.map(protocolOf);
      `,
      findings: [{ messageId: 'urlFallback', related: ['this throws', 'called from here', '`map` calls it'] }],
    },
    {
      name: 'each link that a client sends: as many throws as it likes',
      project: NEW,
      code: dedent`
        import express from 'express';
        const app = express();
        app.post('/links', (req, res) => {
          const { links } = req.body;
          res.json(links.filter((link) => {
            «try» {
              new URL(link);
              return true;
            } catch {
              return false;
            }
          }));
        });
      `,
      findings: [
        {
          messageId: 'urlProbe',
          severity: 'warning',
          route: 'POST /links',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import express from 'express';
                const app = express();
                app.post('/links', (req, res) => {
                  const { links } = req.body;
                  res.json(links.filter((link) => {
                    return URL.canParse(link);
                  }));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'links that a database sends are a hint, on the same route',
      project: NEW,
      code: dedent`
        import express from 'express';
        import { db } from './db.js';
        const app = express();
        app.post('/links', async (req, res) => {
          const links = await db.links.list();
          res.json(links.filter((link) => {
            «try» {
              new URL(link);
              return true;
            } catch {
              return false;
            }
          }));
        });
      `,
      findings: [
        {
          messageId: 'urlProbe',
          severity: 'hint',
          route: 'POST /links',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import express from 'express';
                import { db } from './db.js';
                const app = express();
                app.post('/links', async (req, res) => {
                  const links = await db.links.list();
                  res.json(links.filter((link) => {
                    return URL.canParse(link);
                  }));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'once per request is a hint',
      project: NEW,
      code: dedent`
        import express from 'express';
        const app = express();
        app.get('/go', (req, res) => {
          let ok;
          «try» {
            new URL(req.query.to);
            ok = true;
          } catch {
            ok = false;
          }
          res.json({ ok });
        });
      `,
      findings: [
        {
          messageId: 'urlProbe',
          severity: 'hint',
          route: 'GET /go',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  import express from 'express';
                  const app = express();
                  app.get('/go', (req, res) => {
                    let ok;
                    ok = URL.canParse(req.query.to);
                    res.json({ ok });
                  });
                `,
            },
          ],
        },
      ],
    },

    // ---- JSON.parse
    {
      code: dedent`
        async function settings(rows) {
          const result = {};
          for (const row of rows) {
            «try» {
              result[row.key] = JSON.parse(row.value);
            } catch (e) {
              result[row.key] = row.value;
            }
          }
          return result;
        }
      `,
      findings: [
        {
          messageId: 'jsonFallback',
          severity: 'hint',
          data: { name: 'JSON.parse(row.value)', often: 'in each iteration of the loop' },
          functionName: 'settings',
        },
      ],
    },
    {
      name: 'the raw text stays by doing nothing',
      code: dedent`
        export function decode(values) {
          return values.map((value) => {
            «try» { value = JSON.parse(value); } catch {}
            return value;
          });
        }
      `,
      findings: [{ messageId: 'jsonFallback' }],
    },
    {
      name: 'a function that is called per item',
      code: dedent`
        const maybe = (text) => {
          «try» { return JSON.parse(text); } catch { return text; }
        };
        module.exports = (record) => Object.values(record).map(maybe);
      `,
      findings: [{ messageId: 'jsonFallback', related: ['this throws', 'called from here', '`map` calls it once per item'] }],
    },
    {
      name: 'a yes-or-no question',
      code: dedent`
        function isJson(text) {
          «try» {
            JSON.parse(text);
            return true;
          } catch (e) {
            return false;
          }
        }
        export const only = (texts) => texts.filter((text) => isJson(text));
      `,
      findings: [{ messageId: 'jsonProbe' }],
    },
    {
      name: 'behind a condition, and in a call behind one',
      code: dedent`
        function only(text) {
          «try» { return JSON.parse(text); } catch { return text; }
        }
        export function read(rows) {
          for (const row of rows) if (row.isJson) row.value = only(row.value);
        }
        export const all = (rows) => rows.map((row) => {
          if (row.kind === 'plain') return row.text;
          «try» { return JSON.parse(row.text); } catch { return row.text; }
        });
        export function each(kinds, rows) {
          if (kinds.length === 0) return;
          for (const row of rows) {
            «try» { row.value = JSON.parse(row.text); } catch { row.value = row.text; }
          }
        }
      `,
      findings: [
        { messageId: 'jsonFallback', data: { often: 'in each iteration of the loop that reaches this line' } },
        { messageId: 'jsonFallback', data: { often: 'for each item of `map` that reaches this line' } },
        { messageId: 'jsonFallback', data: { often: 'in each iteration of the loop' } },
      ],
    },
    {
      name: 'a break that leaves a switch goes on with the loop',
      code: dedent`
        export function apply(values, given) {
          const out = {};
          for (const name in values) {
            let value = values[name];
            switch (typeof value) {
              case 'string':
                «try» { value = Object.assign({}, JSON.parse(value), given); break; } catch { /* text */ }
                value = given;
                break;
            }
            out[name] = value;
          }
          return out;
        }
      `,
      findings: [{ messageId: 'jsonFallback' }],
    },
    {
      name: 'shorter and shorter until it parses',
      code: dedent`
        export function salvage(text) {
          for (let end = text.length; end > 0; end--) {
            «try» {
              return JSON.parse(text.slice(0, end));
            } catch {
              continue;
            }
          }
        }
      `,
      findings: [{ messageId: 'jsonUntil', severity: 'hint' }],
    },
    {
      name: 'all that came so far, once per chunk',
      code: dedent`
        export function listen(socket, onMessage) {
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
            «try» {
              onMessage(JSON.parse(text));
              text = '';
            } catch {
              // not complete yet
            }
          });
        }
      `,
      findings: [{ messageId: 'jsonUntil', data: { often: 'for each chunk' } }],
    },
    {
      name: 'a loop whose condition waits for the value',
      code: dedent`
        function take(source) {
          let value;
          let text = '';
          while (value === undefined) {
            text += source.next();
            «try» { value = JSON.parse(text); } catch { /* more */ }
          }
          return value;
        }
        module.exports = take;
      `,
      findings: [{ messageId: 'jsonUntil' }],
    },

    // ---- any other call that is made to see whether it throws
    {
      code: dedent`
        function isInteger(text) {
          «try» {
            BigInt(text);
            return true;
          } catch {
            return false;
          }
        }
        export const integers = (texts) => texts.filter((text) => isInteger(text));
      `,
      findings: [{ messageId: 'throwingTest', severity: 'hint', data: { name: 'BigInt' } }],
    },

    // ---- candidates
    {
      code: dedent`
        import jwt from 'jsonwebtoken';
        export function verify(token, keys) {
          for (const key of keys) {
            «try» {
              return jwt.verify(token, key);
            } catch {}
          }
          throw new Error('no key fits');
        }
      `,
      findings: [{ messageId: 'candidateLoop', severity: 'hint', data: { name: 'jwt.verify' } }],
    },
    {
      name: 'by index, with the last error kept',
      code: dedent`
        exports.open = function (box, keys) {
          let last, text;
          for (let i = 0; i < keys.length; i++) {
            «try» {
              text = decrypt(box, keys[i]);
              break;
            } catch (error) {
              last = error;
            }
          }
          return text ?? fail(last);
        };
      `,
      findings: [{ messageId: 'candidateLoop' }],
    },
    {
      name: 'JSON or a text: the code after it asks which it is',
      code: dedent`
        export function ids(texts) {
          const out = [];
          for (let value of texts) {
            «try» { value = JSON.parse(value); } catch {}
            if (typeof value === 'object' && value !== null) out.push(value.id);
            else out.push(value);
          }
          for (let data of texts) {
            «try» { data = JSON.parse(data); } catch {}
            out.push(data?.id ?? data);
          }
          for (let data of texts) {
            «try» { data = JSON.parse(data); } catch {}
            out.push(data && data.constructor === Object ? 1 : 0);
          }
          return out;
        }
      `,
      findings: [{ messageId: 'jsonFallback' }, { messageId: 'jsonFallback' }, { messageId: 'jsonFallback' }],
    },
    {
      name: 'only yes or no comes of the address',
      code: dedent`
        function isUrl(text) { «try» { return new URL(text) ? true : false; } catch { return false; } }
        function isObject(text) { «try» { return typeof new URL(text) === 'object'; } catch { return false; } }
        exports.urls = (texts) => texts.filter(isUrl);
        exports.objects = (texts) => texts.filter(isObject);
      `,
      findings: ['urlProbe', 'urlProbe'].map(() => ({ messageId: 'urlProbe' as const, refused: ['`URL.canParse` requires Node 18.17'] })),
    },
    {
      name: 'a stack for each row, whose text is made in the first round of another loop',
      code: dedent`
        function label(names) {
          const mark = new Error();
          for (const name of names) if («mark.stack».includes(name)) return name;
          return '';
        }
        exports.labels = (rows) => {
          const out = [];
          for (const row of rows) out.push(label(row.names));
          return out;
        };
        exports.direct = (rows) => {
          const out = [];
          for (const row of rows) {
            const mark = new Error();
            for (const name of row.names) if («mark.stack».includes(name)) out.push(name);
          }
          return out;
        };
      `,
      findings: [{ messageId: 'stackRead' }, { messageId: 'stackRead' }],
    },
    {
      name: 'a cipher whose end is in a function of its own, and a table of keys',
      code: dedent`
        const crypto = require('node:crypto');
        const table = require('./keys.json');
        const finish = (decipher, data) => decipher.update(data, 'hex', 'utf8') + decipher.final('utf8');
        exports.open = ({ iv, data }) => {
          for (const key of table) {
            «try» {
              const decipher = crypto.createDecipheriv('aes-256-gcm', key, iv);
              return finish(decipher, data);
            } catch {}
          }
          return undefined;
        };
      `,
      findings: [{ messageId: 'candidateLoop', data: { name: 'crypto.createDecipheriv' } }],
    },
    {
      name: 'of a cipher, it is the end that throws',
      code: dedent`
        import { createDecipheriv } from 'node:crypto';
        export function open({ iv, tag, data }, keys) {
          for (const key of keys) {
            «try» {
              const decipher = createDecipheriv('aes-256-gcm', key, iv);
              decipher.setAuthTag(tag);
              return decipher.update(data, undefined, 'utf8') + decipher.final('utf8');
            } catch {}
          }
          return undefined;
        }
      `,
      findings: [{ messageId: 'candidateLoop', data: { name: 'decipher.final' } }],
    },
    {
      name: 'with `some`',
      code: dedent`
        export const isKnown = (token, keys) => keys.some((key) => {
          «try» { verifySignature(token, key); return true; } catch { return false; }
        });
      `,
      findings: [{ messageId: 'candidateLoop' }],
    },

    // ---- TypeError instead of ?.
    {
      name: 'a path that is walked down until something is missing',
      code: dedent`
        export function find(json, keys) {
          for (let i = 0, l = keys.length; i < l; i++) {
            «try» {
              const m = keys[i].match(/(.*)\\[(\\d+)\\]/);
              if (m) json = json[m[1]][m[2]];
              else json = json[keys[i]];
            } catch (e) {
              json = '';
              break;
            }
          }
          return json;
        }
      `,
      findings: [{ messageId: 'typeErrorProbe', severity: 'hint' }],
    },
    {
      name: 'too old for the fix',
      project: { nodeRange: '>=12' },
      code: 'exports.names = (users) => users.map((user) => { «try» { return user.profile.name; } catch (e) { return null; } });',
      findings: [{ messageId: 'typeErrorProbe', refused: ['`?.` requires Node 14'] }],
    },

    // ---- throws that their own function catches
    {
      name: 'a throw that only skips the rest of the round',
      code: dedent`
        export function total(rows) {
          let sum = 0;
          let bad = 0;
          for (const row of rows) {
            try {
              if (typeof row.price !== 'number') «throw» new Error('no price');
              sum += row.price;
            } catch (error) {
              bad += error.message.length;
            }
          }
          return { sum, bad };
        }
      `,
      findings: [{ messageId: 'caughtThrow', severity: 'hint', related: ['this catch handles it', 'in this try', 'this loop repeats it'] }],
    },
    {
      name: 'several throws, one finding',
      code: dedent`
        export const clean = (rows) => rows.flatMap((row) => {
          try {
            if (!row.id) «throw» new Error('id');
            if (!row.name) throw new Error('name');
            return [row];
          } catch (e) {
            return [e.message];
          }
        });
      `,
      findings: [
        { messageId: 'caughtThrow', related: ['this catch handles it', 'this throws as well', 'in this try', '`flatMap` calls it'] },
      ],
    },
    {
      name: 'a throw to leave forEach, in a loop',
      code: dedent`
        export function firsts(lists, want) {
          const found = [];
          for (const list of lists) {
            try {
              list.forEach((item) => { if (item === want) «throw» STOP; });
            } catch (e) {
              found.push(e);
            }
          }
          return found;
        }
      `,
      findings: [{ messageId: 'caughtThrow' }],
    },
    {
      name: 'in a handler that goes on with another value it is a hint',
      code: dedent`
        import express from 'express';
        const app = express();
        app.get('/list', (req, res) => {
          let order;
          try {
            if (!req.query.order) «throw» new TypeError('an order, please');
            order = parse(req.query.order);
          } catch {
            order = 'name';
          }
          res.json(list(order));
        });
      `,
      findings: [{ messageId: 'caughtThrow', severity: 'hint', route: 'GET /list' }],
    },
    {
      name: 'a function of the same file that throws for what it rejects',
      code: dedent`
        function toNumber(text) {
          const n = Number(text);
          if (Number.isNaN(n)) throw new Error(\`no number: \${text}\`);
          return n;
        }
        export function sum(texts) {
          let total = 0;
          for (const text of texts) {
            «try» {
              total += toNumber(text);
            } catch {
              total += 0;
            }
          }
          return total;
        }
      `,
      findings: [
        {
          messageId: 'swallowedThrow',
          severity: 'hint',
          data: { name: '`toNumber`' },
          related: ['this call throws', 'thrown here', 'this loop repeats it'],
        },
      ],
    },

    {
      name: 'an entry of the settings by a key varies, and so do the fields of a record',
      code: dedent`
        export const hosts = (config, names) => names.map((name) => {
          «try» {
            return new URL(config[name]).host;
          } catch {
            return '';
          }
        });
        export const homes = (users) => users.map((user) => {
          «try» {
            return new URL(user.homepage).host;
          } catch {
            return '';
          }
        });
      `,
      findings: [
        { messageId: 'urlFallback', severity: 'hint', refused: ['throws if there is no `config`'] },
        { messageId: 'urlFallback', severity: 'hint', refused: ['throws if there is no `user`'] },
      ],
    },
    {
      name: 'a function or an empty text: the throw comes for texts, too',
      code: dedent`
        function run(task) {
          if (typeof task === 'function' || task === '') throw new Error('no text');
          return task.trim();
        }
        export function runAll(tasks) {
          const results = [];
          for (const task of tasks) {
            «try» {
              results.push(run(task));
            } catch {
              results.push('');
            }
          }
          return results;
        }
      `,
      findings: [{ messageId: 'swallowedThrow', severity: 'hint' }],
    },

    // ---- stacks
    {
      code: dedent`
        export function trace(calls, out) {
          for (const call of calls) {
            out.push([call, «new Error().stack»]);
          }
        }
      `,
      findings: [{ messageId: 'stackRead', severity: 'hint' }],
    },
    {
      name: 'a helper that every round calls',
      code: dedent`
        function whereAmI() {
          const mark = new Error('here');
          return «mark.stack».split('\\n')[2];
        }
        export const place = (items) => items.map((item) => ({ item, at: whereAmI() }));
      `,
      findings: [{ messageId: 'stackRead' }],
    },

    // ---- Node before 8.3
    {
      name: 'the old warning, with the try moved around the loop that its error ends',
      project: OLD,
      code: dedent`
        exports.run = function (items) {
          var sum = 0;
          for (var i = 0; i < items.length; i++) {
            «try» {
              sum += work(items[i]);
            } catch (error) {
              report(error);
              return -1;
            }
          }
          return sum;
        };
      `,
      findings: [
        {
          messageId: 'oldTry',
          severity: 'hint',
          data: { range: '^6 || ^8' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  exports.run = function (items) {
                    var sum = 0;
                    try {
                      for (var i = 0; i < items.length; i++) {
                        sum += work(items[i]);
                      }
                    } catch (error) {
                      report(error);
                      return -1;
                    }
                    return sum;
                  };
                `,
            },
          ],
        },
      ],
    },
    {
      name: 'no move where the next round goes on',
      project: { nodeRange: '^6 || ^8.0' },
      code: dedent`
        exports.run = function (items) {
          items.forEach(function (item) {
            «try» { work(item); } catch (error) { report(error); }
          });
        };
      `,
      findings: [{ messageId: 'oldTry' }],
    },
    {
      name: 'nor where the catch reads a variable of the loop',
      project: OLD,
      code: dedent`
        exports.run = function (items) {
          for (const item of items) {
            «try» {
              work(item);
            } catch (error) {
              return item;
            }
          }
        };
      `,
      findings: [{ messageId: 'oldTry' }],
    },
    ...fixCases,
  ],
};
