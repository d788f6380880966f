// Functions in hot code that get values of several types or shapes: from calls of this file, or of several files.
import { functionName, isFunction, isMember, memberName, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import { isLight } from '../../analysis/facts/light-code.ts';
import type { ModuleIndex } from '../../analysis/module/module-index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { isPageCode } from '../shared/page-code.ts';
import { findParameterUses } from './across.ts';
import { findFeeds } from './feeds.ts';
import { findMix } from './kinds.ts';
import { problemAcross, problemFor, weightOf, type Candidate, type Messages } from './report.ts';
import { findSubjects, type Subject } from './subject.ts';
import { findUses, isConcatenation } from './uses.ts';
import { hasLightTargets, isWorthReporting } from './worth.ts';

interface Options {
  minimumKinds: number;
  ignoreFunctions: readonly string[];
}

const WHAT = 'In hot code, {{owner}} receives {{odd}} for `{{parameter}}` here but {{others}} elsewhere.';
const ACROSS = 'In hot code, {{owner}} receives {{others}}, and also {{odd}}, for `{{parameter}}` from calls in several files.';
const TYPES =
  'Predicted. Run a profile to confirm. V8 optimizes `{{operation}}` for the types it has seen, so another type causes one deoptimization. If both types are frequent, `+`, `<`, and `===` also take 1.1 to 1.7 times as long (Node 18 to 26).';
const SHAPES =
  'Predicted. Run a profile to confirm. The inline cache of `{{operation}}` holds up to 4 shapes: 2 to 4 take 1.0 to 2.3 times as long as one, and a fifth about 4 times (Node 18 to 26).';
const MANY_SHAPES =
  'Predicted. Run a profile to confirm. With the fifth shape, `{{operation}}` becomes megamorphic: V8 looks up each access in a global table. Reads take about 4 times as long and writes 5 times (Node 18 to 26), usually even if only one shape is frequent.';
const REMEDY_SHAPE =
  'Give the objects one shape: the same properties in the same order (empty where there is no value), or one class with a `kind` field. Or use a separate function for each kind.';

export const rule = defineRule<Messages, Options>({
  meta: {
    id: 'no-polymorphic-call',
    group: 'v8',
    summary: 'Functions that receive values of different types, shapes, or call targets in hot code (a prediction)',
    severity: 'warning',
    isPrediction: true,
    proof: 'heuristic',
    nodeRange: '>=18',
    fix: 'none',
    messages: {
      types: {
        what: WHAT,
        why: TYPES,
        remedy: 'Convert the value before the call (`Number(…)`, `String(…)`), or use a separate function for each type.',
      },
      shapes: {
        what: WHAT,
        why: SHAPES,
        remedy: REMEDY_SHAPE,
      },
      manyShapes: {
        what: WHAT,
        why: MANY_SHAPES,
        remedy: REMEDY_SHAPE,
      },
      typesAcross: {
        what: ACROSS,
        why: TYPES,
        remedy: 'Convert the value before the call (`Number(…)`, `String(…)`), or use a separate function for each type.',
      },
      shapesAcross: {
        what: ACROSS,
        why: SHAPES,
        remedy: REMEDY_SHAPE,
      },
      manyShapesAcross: {
        what: ACROSS,
        why: MANY_SHAPES,
        remedy: REMEDY_SHAPE,
      },
      receivers: {
        what: WHAT,
        why: 'Predicted. Run a profile to confirm. V8 inlines `{{operation}}` for up to 4 shapes: 2 to 4 take 1.1 to 1.8 times as long as one, but a fifth 15 to 30 times (Node 18 to 26).',
        remedy: REMEDY_SHAPE,
      },
      manyReceivers: {
        what: WHAT,
        why: 'Predicted. Run a profile to confirm. With the fifth shape, `{{operation}}` becomes megamorphic, and V8 no longer inlines the method. A small method takes 15 to 30 times as long, usually 8 to 11 times if only one shape is frequent (Node 18 to 26).',
        remedy: REMEDY_SHAPE,
      },
      targets: {
        what: WHAT,
        why: 'Predicted. Run a profile to confirm. V8 inlines `{{operation}}` as long as it has one target. With two or more, it is a real call that costs about 4 to 12 ns more (Node 18 to 26), unless {{owner}} itself is inlined into its caller.',
        remedy: 'If each call does little work, write the loop at each call site, or use a separate copy of the function for each target.',
      },
      manyTargets: {
        what: WHAT,
        why: 'Predicted. Run a profile to confirm. V8 inlines `{{operation}}` as long as it has one target. With {{count}}, it is a real call that costs about 4 to 12 ns more (Node 18 to 26; 5 to 20 times as long for a small function), unless {{owner}} itself is inlined into its caller.',
        remedy:
          'If each call does little work, switch on a `kind` value inside the loop, or use a separate copy of the function for each target.',
      },
    },
    options: {
      minimumKinds: {
        type: 'number',
        default: 2,
        minimum: 2,
        description: 'Minimum number of kinds to report; 5 reports only megamorphic code',
      },
      ignoreFunctions: { type: 'string[]', default: [], description: 'Names of functions that may receive any values' },
    },
    confirmedBy: [
      {
        kind: 'inline-cache',
        expect: 'the inline cache of the property or method is megamorphic (more than 4 shapes), or polymorphic (2 to 4)',
        messages: ['shapes', 'manyShapes', 'shapesAcross', 'manyShapesAcross', 'receivers', 'manyReceivers'],
      },
      {
        kind: 'feedback',
        expect: 'the type feedback is `Any` for the operator, or names no target for the call',
        messages: ['types', 'typesAcross', 'targets', 'manyTargets'],
      },
      {
        kind: 'deopt',
        expect: 'for operators: an eager deoptimization at the operator, such as `not a Smi`',
        messages: ['types', 'typesAcross'],
      },
      { kind: 'time', expect: 'the function takes longer with the mix than with one kind' },
    ],
  },
  create(context) {
    const { facts, options } = context;
    if (facts.role !== 'worker' && !facts.isApplication()) return {};
    return {
      Program() {
        const byOwner = new Map<Node, Candidate[]>();
        for (const subject of hasRepetition(facts.module) ? findSubjects(facts) : []) {
          const candidate = findStrongest(subject);
          if (!candidate) continue;
          const list = byOwner.get(subject.owner);
          if (list) list.push(candidate);
          else byOwner.set(subject.owner, [candidate]);
        }
        for (const candidates of byOwner.values()) {
          const problem = isPageCode(facts) ? undefined : problemFor(candidates);
          if (problem) context.report(problem);
        }
        // What the file alone shows is reported with its own calls.
        const needsArgumentKinds = (fn: FunctionNode) =>
          !byOwner.has(fn) &&
          !isPageCode(facts) &&
          context.hasArgumentKinds(fn) &&
          !options.ignoreFunctions.includes(functionName(fn) ?? '');
        for (const parameterUse of findParameterUses(facts, needsArgumentKinds))
          context.report(problemAcross(parameterUse, options.minimumKinds));
      },
    };

    function findStrongest(subject: Subject): Candidate | undefined {
      const name = isFunction(subject.owner) ? functionName(subject.owner) : undefined;
      if (name !== undefined && options.ignoreFunctions.includes(name)) return undefined;
      const uses = findUses(subject, facts);
      if (uses.length === 0) return undefined;
      const feeds = findFeeds(subject, facts);
      if (feeds.length < 2) return undefined;
      const mixes = uses
        .flatMap((use) => [
          findMix(use, feeds, facts),
          findMix(
            use,
            feeds.filter((feed) => feed.isCertain),
            facts,
          ),
        ])
        .filter((mix) => mix !== undefined);
      if (mixes.length === 0 || !isLight(subject.owner.body, facts, new Set(uses.map((use) => use.node)))) return undefined;
      const candidates = mixes
        .filter(
          (mix) =>
            mix.kinds.length >= options.minimumKinds &&
            !isConcatenation(mix.use, facts) &&
            hasLightTargets(mix, facts) &&
            isWorthReporting(mix, subject, facts),
        )
        .map((mix) => ({ subject, mix }));
      return candidates.sort((one, other) => weightOf(other) - weightOf(one))[0];
    }
  },
});

/** Nothing is hot in a file without a loop. */
function hasRepetition(module: ModuleIndex): boolean {
  const loops = ['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement'] as const;
  return (
    loops.some((type) => module.has(type)) ||
    module.nodes('CallExpression').some(({ callee }) => isMember(callee) && CALLS_PER_ITEM.test(memberName(callee) ?? ''))
  );
}

// Methods that call a function once per item.
const CALLS_PER_ITEM = /^(?:forEach|map|filter|reduce|reduceRight|some|every|find|findIndex|flatMap|sort|each|times)$/;
