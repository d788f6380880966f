// Formatters: what they are called at the top level, and which ones are not worth it.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';

export const formatterCases: readonly InvalidCase<'thing' | 'client' | 'call' | 'compared' | 'context' | 'views'>[] = [
  {
    name: 'formatters that only some requests need, or that are built beside a query',
    code: dedent`
      const app = require('express')();
      const { Pool } = require('pg');
      const pool = new Pool();
      function dayOf(date) { return «new Intl.DateTimeFormat»('en-CA', { timeZone: 'UTC' }).format(date); }
      app.get('/a', async (req, res) => {
        const day = req.query.day ?? «new Intl.DateTimeFormat»('en-CA', { timeZone: 'UTC' }).format(new Date());
        if (!req.query.year || !req.query.month) return res.send(«new Intl.DateTimeFormat»('sv-SE', { timeZone: 'UTC' }).format(new Date()));
        res.send(day);
      });
      app.get('/b', async (req, res) => {
        const { rows } = await pool.query('SELECT name FROM users WHERE day = $1', [dayOf(new Date())]);
        res.json(rows);
      });
    `,
    findings: [
      { messageId: 'thing', refused: ['line 11 waits for a query'] },
      { messageId: 'thing', refused: ['it is only built where line 6 finds nothing'] },
      { messageId: 'thing', refused: ['it is only built where line 7 finds nothing'] },
    ],
  },
  {
    name: 'a formatter in each round of a loop, under a condition on what is missing',
    code: dedent`
      const app = require('express')();
      app.get('/', async (req, res) => {
        const out = [];
        if (!req.query.raw) {
          for (const day of req.query.days.split(',')) {
            out.push(«new Intl.DateTimeFormat»('en-CA', { timeZone: 'UTC' }).format(new Date(day)));
          }
        }
        res.json(out);
      });
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const app = require('express')();
              const dateTimeFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' });

              app.get('/', async (req, res) => {
                const out = [];
                if (!req.query.raw) {
                  for (const day of req.query.days.split(',')) {
                    out.push(dateTimeFormat.format(new Date(day)));
                  }
                }
                res.json(out);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a formatter for each row, named after what it is for, as the module names its constants',
    code: dedent`
      const app = require('express')();
      const { Pool } = require('pg');
      const TIME_ZONE = 'America/Los_Angeles';
      const pool = new Pool();

      function getPstYmdFromDate(date) {
        return «new Intl.DateTimeFormat»('en-CA', { timeZone: TIME_ZONE }).format(date);
      }
      function formatPSTTimestamp(date) {
        return «new Intl.DateTimeFormat»('sv-SE', { timeZone: TIME_ZONE, hour: '2-digit' }).format(date);
      }
      app.get('/', async (req, res) => {
        const { rows } = await pool.query('SELECT date FROM days');
        res.json(rows.map(({ date }) => [getPstYmdFromDate(date), formatPSTTimestamp(date)]));
      });
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const app = require('express')();
              const { Pool } = require('pg');
              const TIME_ZONE = 'America/Los_Angeles';
              const pool = new Pool();

              const PST_YMD_FORMAT = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE });

              function getPstYmdFromDate(date) {
                return PST_YMD_FORMAT.format(date);
              }
              function formatPSTTimestamp(date) {
                return new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, hour: '2-digit' }).format(date);
              }
              app.get('/', async (req, res) => {
                const { rows } = await pool.query('SELECT date FROM days');
                res.json(rows.map(({ date }) => [getPstYmdFromDate(date), formatPSTTimestamp(date)]));
              });
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const app = require('express')();
              const { Pool } = require('pg');
              const TIME_ZONE = 'America/Los_Angeles';
              const pool = new Pool();

              function getPstYmdFromDate(date) {
                return new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(date);
              }
              const PST_TIMESTAMP_FORMAT = new Intl.DateTimeFormat('sv-SE', {
                timeZone: TIME_ZONE,
                hour: '2-digit',
              });

              function formatPSTTimestamp(date) {
                return PST_TIMESTAMP_FORMAT.format(date);
              }
              app.get('/', async (req, res) => {
                const { rows } = await pool.query('SELECT date FROM days');
                res.json(rows.map(({ date }) => [getPstYmdFromDate(date), formatPSTTimestamp(date)]));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a formatter of a function whose subject begins with a digit',
    code: dedent`
      const app = require('express')();
      const TIME_ZONE = 'America/Los_Angeles';

      function getMonthDay(rows) {
        return rows.map((row) => «new Intl.DateTimeFormat»('en-CA', { timeZone: TIME_ZONE }).format(row.date));
      }
      function get2024Day(rows) {
        return rows.map((row) => «new Intl.DateTimeFormat»('sv-SE', { timeZone: TIME_ZONE }).format(row.date));
      }
      app.post('/', async (req, res) => {
        res.json([getMonthDay(req.body.rows), get2024Day(req.body.rows)]);
      });
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const app = require('express')();
              const TIME_ZONE = 'America/Los_Angeles';

              const MONTH_DAY_FORMAT = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE });

              function getMonthDay(rows) {
                return rows.map((row) => MONTH_DAY_FORMAT.format(row.date));
              }
              function get2024Day(rows) {
                return rows.map((row) => new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE }).format(row.date));
              }
              app.post('/', async (req, res) => {
                res.json([getMonthDay(req.body.rows), get2024Day(req.body.rows)]);
              });
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const app = require('express')();
              const TIME_ZONE = 'America/Los_Angeles';

              function getMonthDay(rows) {
                return rows.map((row) => new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(row.date));
              }
              const GET2024_DAY_FORMAT = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE });

              function get2024Day(rows) {
                return rows.map((row) => GET2024_DAY_FORMAT.format(row.date));
              }
              app.post('/', async (req, res) => {
                res.json([getMonthDay(req.body.rows), get2024Day(req.body.rows)]);
              });
            `,
          },
        ],
      },
    ],
  },
];
