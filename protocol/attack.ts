// A text on which a regular expression or `JSON.parse` takes long, as a rule finds it and a run tries it.

/** `prefix`, then `pump` as often as one likes, then `suffix`. */
export interface AttackText {
  prefix: string;
  pump: string;
  suffix: string;
}

export const EXPRESSION_METHODS = ['test', 'exec', 'match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'] as const;
export type ExpressionMethod = (typeof EXPRESSION_METHODS)[number];

interface SizedText extends AttackText {
  /** The most characters that the text can have there. */
  size: number;
  /** Why no more, or that no limit is known: `body-parser accepts 102,400 bytes unless another limit is set`. */
  limit: string;
}

export interface ExpressionAttack extends SizedText {
  pattern: string;
  flags: string;
  /** How the code uses the expression. */
  method: ExpressionMethod;
  /** Each further pump multiplies the time; otherwise it grows with a power of the length. */
  isExponential: boolean;
}

/** A text that is long, and parsed at once: its time grows with its length. */
export interface JsonAttack extends SizedText {
  method: 'JSON.parse';
}

export type Attack = ExpressionAttack | JsonAttack;

export function isJsonAttack(attack: Attack): attack is JsonAttack {
  return attack.method === 'JSON.parse';
}
