// Where a slower form stands of which a faster one was measured.
import { constantOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { PackageManifest } from '../../protocol/project.ts';

export interface SlowForm {
  /** Its row in `SLOW_FIGURES`. */
  measured: string;
  /** As messages name it. */
  call: string;
  /** What was faster in the measurement. */
  other: string;
  remedy: string;
  /** Too little for one call. */
  inLoops?: true;
  /** Other arguments were not measured. */
  fits(call: CallNode, facts: Facts, manifest: PackageManifest | undefined): boolean;
}

const KEY_REMEDY = (kind: string): string => `Create the key once, at the top level of the module, and pass it: \`crypto.${kind}(pem)\`.`;

/** By module and name. */
export const SLOW_FORMS: ReadonlyMap<string, SlowForm> = new Map<string, SlowForm>([
  [
    'os.cpus',
    {
      measured: 'os.cpus().length / a constant',
      call: 'os.cpus().length',
      other: 'a constant',
      remedy: 'Read it once, at the top level of the module. For the number of jobs to run at once, use `os.availableParallelism()` there.',
      fits: (call) => {
        const parent = parentOf(call);
        return isMember(parent) && parent.object === call && memberName(parent) === 'length';
      },
    },
  ],
  [
    'jsonwebtoken.verify',
    {
      measured: 'jsonwebtoken.verify with a PEM text / with a KeyObject, RS256',
      call: 'jsonwebtoken.verify',
      other: 'a key that is kept',
      remedy: KEY_REMEDY('createPublicKey'),
      fits: (call, facts, manifest) => takesKeys(manifest) && isPem(call.arguments[1], facts) && namesAlgorithm(call, /^RS\d{3}$/, facts),
    },
  ],
  [
    'jsonwebtoken.sign',
    {
      measured: 'jsonwebtoken.sign with a PEM text / with a KeyObject, ES256',
      call: 'jsonwebtoken.sign',
      other: 'a key that is kept',
      remedy: KEY_REMEDY('createPrivateKey'),
      fits: (call, facts, manifest) => takesKeys(manifest) && isPem(call.arguments[1], facts) && namesAlgorithm(call, /^ES256$/, facts),
    },
  ],
  [
    'url.parse',
    {
      measured: 'url.parse(text) / new URL(text)',
      call: 'url.parse',
      other: 'new URL',
      remedy: 'Use `new URL(text)`. It throws for what is no absolute URL, so give relative ones a base.',
      inLoops: true,
      fits: (call) => call.arguments.length === 1,
    },
  ],
  [
    'crypto.randomBytes',
    {
      measured: 'crypto.randomBytes(16) / crypto.randomUUID()',
      call: "crypto.randomBytes(16).toString('hex')",
      other: 'crypto.randomUUID()',
      remedy: 'Use `crypto.randomUUID()` if any unique text will do. It has 122 random bits.',
      inLoops: true,
      fits: isHexId,
    },
  ],
]);
const ANY_NAME = /\b(?:cpus|jsonwebtoken|randomBytes)\b|\b(?:require\(|from )['"](?:node:)?url['"]/;

/** Whether a text names one of the forms. Most files do not, and cost no more than this check. */
export function mayBeSlow(text: string): boolean {
  return ANY_NAME.test(text);
}

export function slowFormOf(call: CallNode, facts: Facts, manifest: PackageManifest | undefined): SlowForm | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const origin = facts.origins.moduleMember(callee);
  const path = origin && (origin.path[0] === 'default' ? origin.path.slice(1) : origin.path);
  const form = origin && path ? SLOW_FORMS.get([origin.module, ...path].join('.')) : undefined;
  return form?.fits(call, facts, manifest) ? form : undefined;
}

/** `randomBytes(16).toString('hex')`: as long as a UUID without its dashes. */
function isHexId(call: CallNode, facts: Facts): boolean {
  const [size, more] = call.arguments;
  const member = parentOf(call);
  if (more || size?.type !== 'NumericLiteral' || size.value !== 16) return false;
  if (!isMember(member) || member.object !== call || memberName(member) !== 'toString') return false;
  const outer = parentOf(member);
  return (
    isCall(outer) && outer.callee === member && outer.arguments[0] !== undefined && textOf(outer.arguments[0], facts.bindings) === 'hex'
  );
}

/** Version 8 parses a key for each call, whatever it is passed. */
function takesKeys(manifest: PackageManifest | undefined): boolean {
  const range = manifest?.dependencies.jsonwebtoken ?? manifest?.devDependencies.jsonwebtoken;
  const major = /\d{1,6}/.exec(range ?? '')?.[0];
  return major === undefined || Number(major) >= 9;
}

/** `{ algorithm: 'ES256' }`, `{ algorithms: ['RS256'] }`: no other algorithm was measured. */
function namesAlgorithm(call: CallNode, name: RegExp, facts: Facts): boolean {
  const third = call.arguments[2];
  const options = third && unwrap(constantOf(third, facts.bindings) ?? third);
  if (options?.type !== 'ObjectExpression') return false;
  return options.properties.some((property) => {
    if (property.type !== 'ObjectProperty' || !/^algorithms?$/.test(staticName(property.key, property.computed) ?? '')) return false;
    const value = unwrap(property.value);
    const names = value.type === 'ArrayExpression' ? value.elements : [value];
    return names.length > 0 && names.every((one) => one !== null && name.test(textOf(one, facts.bindings) ?? ''));
  });
}

/** A key in text that is the same for each request: a literal, a setting, or a file that was read at the top level. */
function isPem(argument: Node | undefined, facts: Facts): boolean {
  if (!argument) return false;
  const value = unwrap(constantOf(argument, facts.bindings) ?? argument);
  const known = textOf(value, facts.bindings);
  if (known !== undefined) return known.trimStart().startsWith('-----BEGIN ');
  if (isMember(value)) return isSetting(value, facts);
  if (!isCall(value)) return false;
  const callee = unwrap(value.callee);
  // The text of a setting, with its line breaks put back.
  if (isMember(callee) && /^(?:replace|replaceAll|trim)$/.test(memberName(callee) ?? '')) return isSetting(unwrap(callee.object), facts);
  const origin = facts.origins.moduleMember(callee);
  if (origin?.module !== 'fs' || origin.path.join('.') !== 'readFileSync' || enclosingFunction(value)) return false;
  return /\.(?:pem|key|pub|crt|cer)['"`]/.test(facts.source.slice(value));
}

/** `process.env.JWT_PUBLIC_KEY` */
function isSetting(node: Node, facts: Facts): boolean {
  if (!isMember(node) || !facts.origins.isGlobal(node.object, 'process.env')) return false;
  return /(?:PUBLIC|PRIVATE)_?KEY|_PEM$/.test(memberName(node) ?? '');
}
