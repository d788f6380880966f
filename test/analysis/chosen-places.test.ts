// Which places some runs of their function do not reach: a warning about them does not say that each request pays.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChosenPlaces } from '../../analysis/facts/chosen-places.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';

function isChosen(body: string): boolean {
  const outcome = parse('/a.js', `async function f(req, res, next) { ${body} }`);
  assert.ok(outcome.ok, body);
  const call = new ModuleIndex(outcome.ast)
    .nodes('CallExpression')
    .find((node) => node.callee.type === 'Identifier' && node.callee.name === 'here');
  assert.ok(call, body);
  return new ChosenPlaces().has(call);
}

const CHOSEN = {
  'a branch': ['if (a) here();', 'if (a) b(); else { here(); }', 'a ? here() : 0;', 'a && here();', 'a ?? here();'],
  'a case or a catch': ['switch (a) { case 1: here(); }', 'try { b(); } catch { here(); }'],
  'what gives a missing value': ['a ??= here();', 'a ||= here();', 'const { one = here() } = a;'],
  'a loop that may have no round': ['while (a) here();'],
  'after a return': [
    'if (!enabled) return; here();',
    'if (!req.is("multipart/form-data")) return next(); here();',
    'if (cache.has(req.url)) { res.json(cache.get(req.url)); return; } here();',
    'const kept = cache.get(req.url); if (kept) return kept; here();',
    'if (!session) return null; here();',
    'for (const one of list) if (one.id === req.id) return one; here();',
    'switch (a) { case 1: return res.end(); } here();',
    'if (a) return; { b(); try { here(); } finally { c(); } }',
  ],
  'after what rejects the request': [
    'if (!req.user) throw new Error("no"); here();',
    'if (!req.user) return res.status(401).end(); here();',
    'if (!req.user) { res.statusCode = 403; return res.end(); } here();',
    'if (!req.user) return next(new Error("who")); here();',
    'try { if (!req.user) throw new Error("no"); here(); } catch {}',
    'try { user = verify(req.body.token); } catch (error) { return res.sendStatus(400); } here();',
    'for (const one of list) { try { b(one); } catch { continue; } here(); }',
  ],
  'after a jump to the next iteration': [
    'for (const one of list) { if (!one) continue; here(); }',
    'for (const one of list) { if (!one) break; here(); }',
    'for (const one of list) { switch (one) { case 1: continue; } here(); }',
  ],
};
const ALWAYS = {
  'nothing before it': ['here();', 'if (here()) b();', 'here() && a;', 'try { here(); } catch {}', 'if (a) b(); here();'],
  'a way out after it': ['here(); if (a) return;', 'if (here()) return;'],
  'a call before it that may fail': [
    'try { await b(); } catch (error) { log(error); throw error; } here();',
    'try { await b(); } catch (error) { log(error); } here();',
    'try { if (a) throw b; } catch {} here();',
  ],
  'a function that returns': ['const g = () => { return 1; }; here();', 'list.map((one) => { return one; }); here();'],
  'the rounds of a loop': ['for (const one of list) here();', 'while (true) { here(); }', 'do { here(); } while (a);'],
  'a jump within a loop or switch before it': [
    'for (const one of list) { if (!one) continue; b(); } here();',
    'switch (a) { case 1: b(); break; default: c(); } here();',
  ],
};

describe('places that a condition chooses', () => {
  for (const [name, bodies] of Object.entries(CHOSEN))
    it(name, () => {
      for (const body of bodies) assert.equal(isChosen(body), true, body);
    });
  for (const [name, bodies] of Object.entries(ALWAYS))
    it(`are not: ${name}`, () => {
      for (const body of bodies) assert.equal(isChosen(body), false, body);
    });
});
