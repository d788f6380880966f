// Checks by an exception, with the fix for each, or the reason why there is none.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const NODE_20 = { nodeRange: '>=20' };
const NODE_22 = { nodeRange: '>=22.1' };

export const fixCases: readonly InvalidCase<MessageId>[] = [
  {
    name: 'what is parsed may be a part of nothing, which the try catches, too',
    code: dedent`
      const app = require('express')();
      function isLink(item) { «try» { new URL(item.link.href); return true; } catch { return false; } }
      app.post('/', (req, res) => { res.json(req.body.items.filter((item) => isLink(item))); });
      function isNamed(item) { «try» { new URL(item.url); return true; } catch { return false; } }
      app.post('/named', (req, res) => { res.json(req.body.items.filter((item) => isNamed(item))); });
    `,
    findings: [
      { messageId: 'urlProbe', refused: ['`item.link.href` throws if there is no `item.link`'] },
      { messageId: 'urlProbe', refused: ['`item.url` throws if there is no `item`'] },
    ],
  },
  {
    name: 'a yes-or-no question becomes URL.canParse',
    project: NODE_20,
    code: dedent`
      export const good = (links) => links.filter((link) => {
        «try» {
          new URL(link);
          return true;
        } catch (e) {
          return false;
        }
      });
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Use `URL.canParse`',
            output: dedent`
              export const good = (links) => links.filter((link) => {
                return URL.canParse(link);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'where the type says that it is a text, nothing can change',
    project: NODE_20,
    file: 'links.ts',
    code: 'export const good = (links: string[]) => links.filter((link: string) => { «try» { new URL(link); return true; } catch { return false; } });',
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'safe',
            title: 'Use `URL.canParse`',
            output: 'export const good = (links: string[]) => links.filter((link: string) => { return URL.canParse(link); });',
          },
        ],
      },
    ],
  },
  {
    name: 'what else the block does may throw, too',
    project: NODE_20,
    code: dedent`
      export const read = (links) => links.map((link) => {
        «try» {
          return JSON.parse(new URL(link).hash.slice(1));
        } catch {
          return null;
        }
      });
    `,
    findings: [
      {
        messageId: 'urlFallback',
        refused: ['Line 3 may throw, too, so the `try` would have to stay'],
      },
    ],
  },
  {
    name: 'and the opposite question its negation',
    project: NODE_20,
    code: dedent`
      import url from 'node:url'

      export const bad = (links) => links.filter((link) => {
        «try» {
          new url.URL(link)
          return false
        } catch {
          return true
        }
      })
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                import url from 'node:url'

                export const bad = (links) => links.filter((link) => {
                  return !url.URL.canParse(link)
                })
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'with a base',
    project: NODE_20,
    code: dedent`
      export const good = (links, base) => links.filter((link) => {
        «try» { void new URL(link, base); return true; } catch { return false; }
      });
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              export const good = (links, base) => links.filter((link) => {
                return URL.canParse(link, base);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'an argument that may be no text makes it a suggestion',
    project: NODE_20,
    code: dedent`
      export const good = (links) => links.filter((link) => {
        «try» { return Boolean(new URL(link?.to?.href)); } catch { return false; }
      });
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              export const good = (links) => links.filter((link) => {
                return URL.canParse(link?.to?.href);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a variable instead of an answer',
    project: NODE_20,
    code: dedent`
      export function mark(links) {
        for (const link of links) {
          «try» {
            const parsed = new URL(link.href);
            link.ok = true;
          } catch (error) {
            link.ok = false;
          }
        }
      }
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              export function mark(links) {
                for (const link of links) {
                  link.ok = URL.canParse(link.href);
                }
              }
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'only the catch does something',
    project: NODE_20,
    code: dedent`
      export const complete = (links) => links.map((link) => {
        «try» {
          new URL(link);
        } catch (e) {
          // No scheme.
          link = \`https://\${link}\`;
        }
        return link;
      });
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export const complete = (links) => links.map((link) => {
                  if (!URL.canParse(link)) {
                    // No scheme.
                    link = \`https://\${link}\`;
                  }
                  return link;
                });
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'null for a bad address is URL.parse',
    project: NODE_22,
    code: dedent`
      export const parsed = (links) => links.map((link) => {
        «try» {
          return new URL(link);
        } catch {
          return null;
        }
      });
    `,
    findings: [
      {
        messageId: 'urlFallback',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Use `URL.parse`, which returns null',
            output: dedent`
              export const parsed = (links) => links.map((link) => {
                return URL.parse(link);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'what is called a URL is seldom none; words of a text may be anything',
    project: NODE_22,
    code: dedent`
      export const all = (list) => list.map(normalizeImageUrl);
      export const each = (list) => list.map(hostOf);
      function normalizeImageUrl(value) {
        «try» {
          const url = new URL(value);
          if (url.protocol !== 'https:') return null;
          return url.href;
        } catch {
          return null;
        }
      }
      function hostOf(word) {
        «try» {
          const parsed = new URL(word);
          if (parsed.protocol !== 'https:') return null;
          return parsed.host;
        } catch {
          return null;
        }
      }
    `,
    findings: [
      { messageId: 'urlFallback', refused: ['its name says that it is given URLs'] },
      {
        messageId: 'urlFallback',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              export const all = (list) => list.map(normalizeImageUrl);
              export const each = (list) => list.map(hostOf);
              function normalizeImageUrl(value) {
                try {
                  const url = new URL(value);
                  if (url.protocol !== 'https:') return null;
                  return url.href;
                } catch {
                  return null;
                }
              }
              function hostOf(word) {
                const parsed = URL.parse(word);
                if (!parsed) {
                  return null;
                }
                if (parsed.protocol !== 'https:') return null;
                return parsed.host;
              }
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'URL.parse is younger than Node 20.0',
    project: NODE_20,
    code: dedent`
      export const parsed = (links) => links.map((link) => {
        let url;
        «try» { url = new URL(link); } catch { url = null; }
        return url;
      });
    `,
    findings: [{ messageId: 'urlFallback', refused: ['`URL.parse` requires Node 20.18 or 22.1'] }],
  },
  {
    name: 'URL.canParse is younger than Node 18.0',
    project: { nodeRange: '>=18' },
    code: dedent`
      export const good = (links) => links.every((link) => {
        «try» { new URL(link); return true; } catch { return false; }
      });
    `,
    findings: [{ messageId: 'urlProbe', refused: ['`URL.canParse` requires Node 18.17 or 19.9'] }],
  },
  {
    name: 'a comment inside is no reason to lose it',
    project: NODE_20,
    code: dedent`
      export const good = (links) => links.filter((link) => {
        «try» {
          new URL(link); // as the standard reads it
          return true;
        } catch {
          return false;
        }
      });
    `,
    findings: [
      {
        messageId: 'urlProbe',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Check with `URL.canParse` first',
            output: dedent`
                export const good = (links) => links.filter((link) => {
                  if (!URL.canParse(link)) {
                    return false;
                  }
                  new URL(link); // as the standard reads it
                  return true;
                });
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'a variable that is declared before the try for its value is a constant after the check',
    project: NODE_20,
    code: dedent`
      export const hosts = (links) => links.map((link) => {
        // As the standard reads it.
        let url;
        «try» {
          url = new URL(link);
        } catch {
          return '';
        }
        return url.host;
      });
    `,
    findings: [
      {
        messageId: 'urlFallback',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Check with `URL.canParse` first',
            output: dedent`
              export const hosts = (links) => links.map((link) => {
                // As the standard reads it.
                if (!URL.canParse(link)) {
                  return '';
                }
                const url = new URL(link);
                return url.host;
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a variable that is declared before the try for its value is a constant after the check, also with a type',
    project: NODE_20,
    file: 'links.ts',
    code: dedent`
      export const hosts = (links: string[]) => links.map((link) => {
        // As the standard reads it.
        let url: URL;
        «try» {
          url = new URL(link);
        } catch {
          return '';
        }
        return url.host;
      });
    `,
    findings: [
      {
        messageId: 'urlFallback',
        fixes: [
          {
            kind: 'suggestion',
            title: 'Check with `URL.canParse` first',
            output: dedent`
              export const hosts = (links: string[]) => links.map((link) => {
                // As the standard reads it.
                if (!URL.canParse(link)) {
                  return '';
                }
                const url = new URL(link);
                return url.host;
              });
            `,
          },
        ],
      },
    ],
  },
  ...[
    [
      'a part of the URL',
      "«try» { return new URL(String(text).trim()).host.toLowerCase(); } catch { return ''; }",
      "const url = URL.parse(String(text).trim());\n    if (!url) { return ''; }\n    return url.host.toLowerCase();",
    ],
    [
      'a part of the URL, where its first name is taken',
      "const url = 'a'; «try» { const host = new URL(text).host; return host === url; } catch { return false; }",
      "const url = 'a'; const parsed = URL.parse(text);\n    if (!parsed) { return false; }\n    const host = parsed.host; return host === url;",
    ],
    [
      'a variable, and more than one answer',
      "«try» { const made = new URL(text); if (made.protocol !== 'https:') { return ''; } return made.href; } catch { return ''; }",
      "const made = URL.parse(text);\n    if (!made) { return ''; }\n    if (made.protocol !== 'https:') { return ''; } return made.href;",
    ],
    [
      'a variable that is declared above',
      "let made; «try» { made = new URL(text); } catch { return ''; } return made.href;",
      "const made = URL.parse(text);\n    if (!made) { return ''; } return made.href;",
    ],
  ].map(
    ([name = '', before = '', after = '']): InvalidCase<MessageId> => ({
      name: `an address is parsed once: ${name}`,
      project: NODE_22,
      code: `export const hosts = (links) => links.map(normal);\nfunction normal(text) {\n    ${before}\n}`,
      findings: [
        {
          messageId: 'urlFallback',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Use `URL.parse`, which returns null',
              output: `export const hosts = (links) => links.map(normal);\nfunction normal(text) {\n    ${after}\n}`,
            },
          ],
        },
      ],
    }),
  ),
  {
    name: 'an address whose text may be none, which the catch handles, too',
    project: NODE_22,
    code: dedent`
      export const hosts = (links) => links.map((link) => {
        «try» {
          return new URL(link.trim()).host;
        } catch {
          return '';
        }
      });
    `,
    findings: [{ messageId: 'urlFallback', fixes: [], refused: ['would be worked out twice'] }],
  },
  {
    name: 'an address that is not always parsed',
    project: NODE_22,
    code: dedent`
      export const hosts = (links) => links.map((link) => {
        «try» {
          return link && new URL(link).host;
        } catch {
          return '';
        }
      });
    `,
    findings: [{ messageId: 'urlFallback', fixes: [] }],
  },
  {
    name: 'with a second address in the block no single question is enough',
    project: NODE_20,
    code: dedent`
      export const same = (pairs) => pairs.filter(([a, b]) => {
        «try» {
          return new URL(a).host === new URL(b).host;
        } catch {
          return false;
        }
      });
    `,
    findings: [{ messageId: 'urlFallback' }],
  },
  {
    name: 'a test for other files is a hint with a fix',
    project: NODE_20,
    code: dedent`
      export function isAddress(text) {
        «try» {
          new URL(text);
          return true;
        } catch {
          return false;
        }
      }
    `,
    findings: [
      {
        messageId: 'urlProbe',
        severity: 'hint',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
          export function isAddress(text) {
            return URL.canParse(text);
          }
        `,
          },
        ],
      },
    ],
  },

  // ---- existence
  {
    code: dedent`
      const fs = require('fs');
      exports.present = (names) => names.filter((name) => {
        «try» {
          fs.accessSync(name);
          return true;
        } catch (err) {
          return false;
        }
      });
    `,
    findings: [
      {
        messageId: 'accessProbe',
        data: { name: 'accessSync' },
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const fs = require('fs');
              exports.present = (names) => names.filter((name) => {
                return fs.existsSync(name);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'imported by name',
    code: dedent`
      import { statSync } from 'node:fs';
      export const present = (names) => names.filter((name) => {
        «try» { statSync(name); return true; } catch { return false; }
      });
    `,
    findings: [
      {
        messageId: 'accessProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                import { statSync, existsSync } from 'node:fs';
                export const present = (names) => names.filter((name) => {
                  return existsSync(name);
                });
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'a mode asks for more than existence',
    code: dedent`
      import fs from 'node:fs';
      export const writable = (names) => names.filter((name) => {
        «try» { fs.accessSync(name, fs.constants.W_OK); return true; } catch { return false; }
      });
    `,
    findings: [{ messageId: 'accessProbe' }],
  },

  // ---- ?.
  {
    code: dedent`
      export function fill(list) {
        for (const api of list) {
          «try» {
            api.schema = api.body.content['application/json'].schema;
          } catch (e) {
            api.schema = {};
          }
        }
      }
    `,
    findings: [
      {
        messageId: 'typeErrorProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export function fill(list) {
                  for (const api of list) {
                    api.schema =
                      api?.body?.content?.['application/json'] != null
                        ? api.body.content['application/json'].schema
                        : {};
                  }
                }
              `,
          },
        ],
      },
    ],
  },
  {
    code: 'export const cities = (users) => users.map((user) => { «try» { return user.address.city; } catch { return undefined; } });',
    findings: [
      {
        messageId: 'typeErrorProbe',
        fixes: [{ kind: 'suggestion', output: 'export const cities = (users) => users.map((user) => { return user?.address?.city; });' }],
      },
    ],
  },
  {
    name: 'code that looks into any value meets getters that throw',
    code: 'export const names = (values) => values.map((value) => { «try» { return value.constructor.name; } catch { return ""; } });',
    findings: [{ messageId: 'typeErrorProbe', fixes: [], refused: ['`.constructor` of any value also meets getters that throw'] }],
  },
  {
    name: 'a method may throw by itself, or be missing',
    code: 'export const cities = (users) => users.map((user) => { «try» { return user.address.city.trim(); } catch { return undefined; } });',
    findings: [{ messageId: 'typeErrorProbe', fixes: [] }],
  },
  {
    name: 'a variable that keeps its value',
    code: dedent`
      export function read(rows) {
        return rows.map((row) => {
          let name = row.id;
          «try» { name = row.owner.name; } catch {}
          return name;
        });
      }
    `,
    findings: [
      {
        messageId: 'typeErrorProbe',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export function read(rows) {
                  return rows.map((row) => {
                    let name = row.id;
                    if (row?.owner != null) name = row.owner.name;
                    return name;
                  });
                }
              `,
          },
        ],
      },
    ],
  },

  // ---- return instead of throw
  {
    name: 'the catch’s own statement in place of the throw',
    code: dedent`
      export const prices = (rows) => rows.map((row) => {
        try {
          if (!row.price) «throw» new Error('no price');
          return format(row.price);
        } catch {
          return null;
        }
      });
    `,
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'safe',
            title: 'Do here what the catch does: `return null;`',
            output: dedent`
                export const prices = (rows) => rows.map((row) => {
                  try {
                    if (!row.price) return null;
                    return format(row.price);
                  } catch {
                    return null;
                  }
                });
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'at the end of a loop’s body, with continue',
    code: dedent`
      export function count(rows) {
        let bad = 0;
        for (const row of rows) {
          try {
            if (!row.id) {
              «throw» new Error(\`row \${row.line}\`);
            }
            add(row);
          } catch {
            bad++;
          }
        }
        return bad;
      }
    `,
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'safe',
            output: dedent`
                export function count(rows) {
                  let bad = 0;
                  for (const row of rows) {
                    try {
                      if (!row.id) {
                        bad++;
                        continue;
                      }
                      add(row);
                    } catch {
                      bad++;
                    }
                  }
                  return bad;
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'every throw of the try, and braces where there were none',
    code: dedent`
      export function keep(rows) {
        const kept = [];
        for (const row of rows) {
          try {
            if (!row.id) «throw» new Error('id');
            if (!row.name) throw new RangeError('name');
            kept.push(row);
          } catch {
            kept.push(EMPTY);
          }
        }
        return kept;
      }
    `,
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export function keep(rows) {
                  const kept = [];
                  for (const row of rows) {
                    try {
                      if (!row.id) {
                        kept.push(EMPTY);
                        continue;
                      }
                      if (!row.name) {
                        kept.push(EMPTY);
                        continue;
                      }
                      kept.push(row);
                    } catch {
                      kept.push(EMPTY);
                    }
                  }
                  return kept;
                }
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'an error of the own kind may do something when it is made',
    code: dedent`
      export const ids = (rows) => rows.map((row) => {
        try {
          if (!row.id) «throw» new MissingId(row);
          return row.id;
        } catch {
          return 0;
        }
      });
    `,
    findings: [
      {
        messageId: 'caughtThrow',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
                export const ids = (rows) => rows.map((row) => {
                  try {
                    if (!row.id) return 0;
                    return row.id;
                  } catch {
                    return 0;
                  }
                });
              `,
          },
        ],
      },
    ],
  },
  {
    name: 'a continue that would mean another loop',
    code: dedent`
      export function scan(tables) {
        for (const table of tables) {
          try {
            for (const row of table) if (row.bad) «throw» new Error('bad row');
            keep(table);
          } catch {
            continue;
          }
        }
      }
    `,
    findings: [{ messageId: 'caughtThrow' }],
  },
];
