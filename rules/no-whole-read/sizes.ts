// Whether something is known of the size of what is gathered: where it is, what it is called, and what the code checks.
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunction, isCall, isMember, memberName, parentOf, staticName, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { RequestData } from '../shared/request-data.ts';
import { initOf } from './sources.ts';

/** Files that a program brings, of some kilobytes as a rule. */
const SMALL_END =
  /\.(?:html?|json5?|ya?ml|md|txt|css|m?js|cjs|ts|svg|ico|xml|toml|ini|conf|env|pem|key|crt|hbs|ejs|pug|mustache|graphql|proto|lua|png|ttf|woff2?)$/i;
const SMALL =
  /thumb|avatar|icon|logo|template|locale|i18n|lang|transl|config|settings?|manifest|package|index|fixture|favicon|robots|cert|secret|version|schema|cookie|preview|\bviews?\b|\bpages?\b|\bpartials?\b|^\/(?:proc|sys|etc)\b/i;
const SMALL_PART = /thumb|avatar|icon|logo|preview|badge/i;
const LARGE =
  /upload|download|export|backup|archive|attachment|media|video|audio|recording|movie|dump|ndjson|jsonl|logger|\.(?:csv|zip|tar|gz|mp[34]|mov|wav|mkv|iso|sql|bak)$/i;
/** `logFile`, `serverLog`, `LOG_PATH`, `logs/`; neither `login` nor `catalog` */
const LOG = /(?<![A-Za-z])[Ll]ogs?(?![a-z])|(?<=[a-z])Logs?(?![a-z])|(?<![A-Z])LOGS?(?![A-Z])/;
/** In the text of the program itself, only these names say that a file grows. */
const GROWING = /\.(?:log|ndjson|jsonl|dump|bak|tar|gz|mp4|mov|mkv|iso)$/i;
const UPLOAD_MEMBER = /^(?:path|filepath|tempFilePath)$/;
// How many parts of a path to look at.
const MOST_PARTS = 24;

interface Parts {
  texts: string[];
  names: string[];
  isSent: boolean;
  isUpload: boolean;
  /** Its last part, if that is written in the code. */
  end: string | undefined;
}

/** Whether a path leads to a file whose size nobody limits, as far as the code shows it. */
export function isOpenFile(path: Node, facts: Facts): boolean {
  const parts = partsOf(path, facts);
  const words = [...parts.texts, ...parts.names];
  if ((parts.end !== undefined && SMALL_END.test(parts.end)) || words.some((word) => SMALL.test(word))) return false;
  // Multer and others have an option.
  if (parts.isUpload) return !facts.remember('limits of uploads', () => /fileSize/.test(facts.source.text));
  if (parts.isSent) return true;
  return parts.names.length === 0
    ? parts.end !== undefined && GROWING.test(parts.end)
    : words.some((word) => LARGE.test(word) || LOG.test(word));
}

/** Whether nothing says that a file on its way to a bucket is small. */
export function mayBeLarge(path: Node, facts: Facts): boolean {
  const { texts, names, end } = partsOf(path, facts);
  return names.length > 0 && !(end !== undefined && SMALL_END.test(end)) && ![...texts, ...names].some((word) => SMALL.test(word));
}

/** Whether an address says that what is there is small: `metadata.thumbnail`. */
export function isSmallByName(address: Node, facts: Facts): boolean {
  const { texts, names } = partsOf(address, facts);
  return [...texts, ...names].some((word) => SMALL_PART.test(word));
}

/** Whether the request says whom to ask, and not only for what: `fetch(request.query.url)`. */
export function isChosenByRequest(address: Node, facts: Facts): boolean {
  const { type } = initOf(address, facts);
  return type !== 'TemplateLiteral' && type !== 'BinaryExpression' && new RequestData(facts, 'text').isSent(address);
}

function partsOf(path: Node, facts: Facts): Parts {
  const parts: Parts = { texts: [], names: [], isSent: false, isUpload: false, end: undefined };
  const data = new RequestData(facts, 'text');
  const open: Node[] = [path];
  const seen = new Set<Node>();
  for (let node = open.pop(), i = 0; node && i < MOST_PARTS; node = open.pop(), i += 1) {
    const at = unwrap(node);
    if (seen.has(at)) continue;
    seen.add(at);
    const isLast = i === 0 || parts.end === undefined;
    if (at.type === 'StringLiteral') {
      parts.texts.push(at.value);
      if (isLast && parts.names.length === 0) parts.end = at.value;
    } else if (at.type === 'TemplateLiteral') {
      for (let k = 0; k < at.quasis.length; k += 1) {
        const text = at.quasis[k]?.value.cooked ?? '';
        if (text !== '') parts.texts.push(text);
        const part = at.expressions[k];
        if (part) open.push(part);
        else if (text !== '' && parts.names.length === 0) parts.end ??= text;
      }
    } else if (at.type === 'BinaryExpression') open.push(at.left, at.right);
    else if (at.type === 'LogicalExpression') open.push(at.left, at.right);
    else if (at.type === 'ConditionalExpression') open.push(at.consequent, at.alternate);
    else if (at.type === 'AwaitExpression') open.push(at.argument);
    else if (isCall(at)) {
      const callee = unwrap(at.callee);
      const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
      // The base of an address comes second.
      const used = name === 'URL' ? at.arguments.slice(0, 1) : at.arguments;
      open.push(...used);
      const [helper, other] = facts.calls.functionsOf(callee);
      const [returned, more] = helper && !other ? facts.shapes.returnedValues(helper) : [];
      if (returned && !more) open.push(returned);
      else if (name !== undefined && !/^(?:join|resolve|normalize|URL|fileURLToPath|toString|String)$/.test(name)) parts.names.push(name);
    } else if (at.type === 'Identifier' || isMember(at)) {
      if (data.isSent(at)) parts.isSent = true;
      const name = isMember(at) ? (memberName(at) ?? '') : at.name;
      if (name === '__dirname') continue;
      const init = initOf(at, facts);
      parts.names.push(name);
      if (isMember(at)) {
        const object = unwrap(at.object);
        const owner = object.type === 'Identifier' ? object.name : isMember(object) ? (memberName(object) ?? '') : '';
        parts.names.push(owner);
        if (UPLOAD_MEMBER.test(name) && /file|upload/i.test(owner)) parts.isUpload = true;
      } else if (init !== at) open.push(init);
    }
  }
  return parts;
}

const PAYLOAD_TOO_LARGE = 413;
const SIZE_NAME = /size|length|bytes|limit|max|total|received/i;

/** Whether a function around a place does something about sizes: compares one, reads `content-length`, answers 413, sets an option. */
export function isLimited(place: Node, facts: Facts): boolean {
  const known = facts.remember('functions that do something about sizes', () => new Map<Node, boolean>());
  for (let fn = enclosingFunction(place); fn; fn = enclosingFunction(fn)) {
    let is = known.get(fn);
    if (is === undefined) known.set(fn, (is = checksSizes(fn.body)));
    if (is) return true;
  }
  return false;
}

function checksSizes(body: Node): boolean {
  let found = false;
  walkWithin(body, (node) => {
    found ||= isCheck(node);
    return found ? 'stop' : true;
  });
  return found;
}

function isCheck(node: Node): boolean {
  switch (node.type) {
    case 'BinaryExpression':
      return (
        /^[<>]=?$/.test(node.operator) &&
        parentOf(node)?.type !== 'ForStatement' &&
        ![node.left, node.right].some((side) => side.type === 'NumericLiteral' && side.value <= 1) &&
        [node.left, node.right].some((side) => SIZE_NAME.test(nameOf(side)))
      );
    case 'NumericLiteral':
      return node.value === PAYLOAD_TOO_LARGE;
    case 'ObjectProperty':
      return /^max(?:ContentLength|BodyLength|Size|Bytes|FileSize)$/.test(staticName(node.key, node.computed) ?? '');
    // `answer.headers.get('content-length')`; that it is set is no limit.
    case 'StringLiteral': {
      const parent = parentOf(node);
      if (!/^content-length$/i.test(node.value)) return false;
      return isMember(parent) || (isCall(parent) && /^(?:get|header)$/.test(nameOf(parent.callee)) && parent.arguments.length === 1);
    }
    default:
      return false;
  }
}

function nameOf(expression: Node): string {
  const node = unwrap(expression);
  return node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : isCall(node) ? nameOf(node.callee) : '';
}
