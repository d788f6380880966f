// The rule in code: NODE_ENV set after a package has read it, set to a misspelled `production`, or compared with one.
import { parentOf, unwrap, type t } from '../../analysis/module/ast.ts';
import type { Listeners, RuleContext } from '../../analysis/rule.ts';
import { NODE_ENV_PACKAGES, VIEW_CACHE } from '../../knowledge/node-env-packages.ts';
import { findEffects, type Effects } from './effects.ts';
import type { MessageId } from './messages.ts';
import { moveBefore } from './move-write.ts';
import { findNodeEnvWrites, isNodeEnv, type NodeEnvWrite } from './node-env-writes.ts';
import { findEarlierRead, type EarlierRead } from './too-late.ts';
import { isSlipOfProduction, judgeValue, showValue } from './values.ts';

const OTHER_ROLES: ReadonlySet<string> = new Set(['test', 'declaration']);
const NOT_SERVING: ReadonlySet<string> = new Set(['test', 'declaration', 'config', 'script', 'browser', 'migration']);

export function checkModule(context: RuleContext<MessageId>): Listeners {
  const { facts, source } = context;
  if (!source.text.includes('NODE_ENV')) return {};
  return {
    Program() {
      if (OTHER_ROLES.has(facts.role)) return;
      for (const write of findNodeEnvWrites(facts)) checkWrite(write, context);
    },
    BinaryExpression(node) {
      if (OTHER_ROLES.has(facts.role) || !/^[!=]==?$/.test(node.operator)) return;
      const [left, right] = [unwrap(node.left), unwrap(node.right)];
      if (right.type === 'StringLiteral' && isNodeEnv(left, facts)) checkComparison(right, context);
      else if (left.type === 'StringLiteral' && isNodeEnv(right, facts)) checkComparison(left, context);
    },
    SwitchCase(node) {
      const parent = parentOf(node);
      if (
        OTHER_ROLES.has(facts.role) ||
        node.test?.type !== 'StringLiteral' ||
        parent?.type !== 'SwitchStatement' ||
        !isNodeEnv(parent.discriminant, facts)
      )
        return;
      checkComparison(node.test, context);
    },
  };
}

function checkWrite(write: NodeEnvWrite, context: RuleContext<MessageId>): void {
  const { facts } = context;
  if (write.value === undefined || NOT_SERVING.has(facts.role)) return;
  const verdict = judgeValue(write.value);
  if (verdict === 'misspelt') {
    const effects = effectsHere(context);
    if (!effects || !write.literal) return;
    context.report({
      at: write.literal,
      messageId: 'misspelt',
      ...(effects.strength !== 'speed' && { severity: 'hint' as const }),
      data: { value: showValue(write.value), packages: effects.packages, effects: effects.text },
      fixes: [rewrite(write.literal)],
    });
    return;
  }
  const read = verdict === 'production' ? findEarlierRead(write, facts) : undefined;
  if (read) reportTooLate(write, read, context);
}

function reportTooLate(write: NodeEnvWrite, read: EarlierRead, context: RuleContext<MessageId>): void {
  const move = read.isHoisted ? undefined : moveBefore(write, read, context.source, context.facts);
  const title = `Set it before ${read.package} reads it`;
  context.report({
    at: write.node,
    messageId: 'tooLate',
    ...(!isAboutSpeed(read, context) && { severity: 'hint' as const }),
    data: {
      package: read.package,
      reason: read.reason,
      effects: lateEffects(read, context),
      remedy: read.isHoisted
        ? 'Set it in the environment that starts the process, or in a module that is imported first.'
        : 'Set it in the environment that starts the process, or move this line up.',
    },
    related: [{ span: read.span, message: `${read.package} reads NODE_ENV here` }],
    fixes: move ? [{ title, kind: 'suggestion', edits: move }] : [],
    refused: move
      ? []
      : [
          {
            title,
            reason: read.isHoisted
              ? "imports run before the module's own code, wherever the line is"
              : 'the line depends on code between the two locations',
          },
        ],
  });
}

function isAboutSpeed({ package: name }: EarlierRead, context: RuleContext<MessageId>): boolean {
  if (name !== 'express') return NODE_ENV_PACKAGES.some((row) => row.name === name && row.isAboutSpeed);
  return effectsHere(context)?.strength === 'speed';
}

function lateEffects(read: EarlierRead, context: RuleContext<MessageId>): string {
  if (read.package !== 'express') return read.effect;
  const effects = effectsHere(context)?.text;
  return effects ?? `${VIEW_CACHE}. ${read.effect}`;
}

/** What NODE_ENV changes for the project of the file, judged by its package.json and the imports of the file. */
function effectsHere(context: RuleContext<MessageId>): Effects | undefined {
  const names = (record: Readonly<Record<string, string>> | undefined): Set<string> => new Set(Object.keys(record ?? {}));
  const manifest = context.project.manifest;
  const imported = new Set(
    [...context.facts.module.nodes('StringLiteral')].filter(isModuleName).map((node) => node.value.replace(/^node:/, '')),
  );
  return findEffects(
    {
      files: [],
      packages: imported,
      isComplete: false,
      listens: true,
      rendersViews: true,
      setsViewCache: false,
      tiesTemplateCache: false,
      setsNodeEnv: 'no',
      envFiles: [],
    },
    { dependencies: names(manifest?.dependencies) },
  );
}

function isModuleName(node: t.StringLiteral): boolean {
  const parent = parentOf(node);
  if (parent?.type === 'ImportDeclaration') return parent.importKind !== 'type';
  return parent?.type === 'CallExpression' && parent.callee.type === 'Identifier' && parent.callee.name === 'require';
}

function checkComparison(literal: t.StringLiteral, context: RuleContext<MessageId>): void {
  if (!isSlipOfProduction(literal.value)) return;
  context.report({ at: literal, messageId: 'comparison', data: { value: showValue(literal.value) }, fixes: [rewrite(literal)] });
}

function rewrite(literal: t.StringLiteral): { title: string; kind: 'suggestion'; edits: { start: number; end: number; text: string }[] } {
  return {
    title: 'Change it to `production`',
    kind: 'suggestion',
    edits: [{ start: (literal.start ?? 0) + 1, end: (literal.end ?? 0) - 1, text: 'production' }],
  };
}
