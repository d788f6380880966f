// Short forms for rows of blocking calls of packages.
import type { AsyncForm, BlockingCall, BlockingCategory, BlockingCost, Maker } from './blocking-call.ts';

/** A row's fields that are the same for a whole package. */
export interface Common {
  module: string;
  category: BlockingCategory;
  cost: BlockingCost;
  source: string;
  note?: string;
}

export function calls(common: Common, forms: Readonly<Record<string, AsyncForm>>): BlockingCall[] {
  return Object.entries(forms).map(([dotted, asyncForm]) => ({ ...common, path: dotted === '' ? [] : dotted.split('.'), asyncForm }));
}

export function methods(
  common: Common & { className: string; madeBy: readonly Maker[] },
  forms: Readonly<Record<string, AsyncForm>>,
): BlockingCall[] {
  return Object.entries(forms).map(([name, asyncForm]) => ({ ...common, path: [name], asyncForm }));
}

export function promise(module: string, dotted: string, note?: string): AsyncForm {
  return { kind: 'promise', module, path: dotted === '' ? [] : dotted.split('.'), result: 'same', note };
}

export function differs(kind: 'promise' | 'callback', module: string, dotted: string, note: string): AsyncForm {
  return { kind, module, path: dotted === '' ? [] : dotted.split('.'), result: 'differs', note };
}

export function none(advice: string, remedy?: string): AsyncForm {
  return { kind: 'none', advice, ...(remedy !== undefined && { remedy }) };
}
