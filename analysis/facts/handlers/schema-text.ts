// Reads what the schema language of GraphQL says about lists: https://spec.graphql.org/October2021/#sec-Type-System

/** A field that returns a list. `at`: where its name begins in the text. */
export interface ListField {
  type: string;
  /** With its type: `Query.users`. */
  field: string;
  at: number;
}

export interface SchemaText {
  lists: readonly ListField[];
  /** A type, and one that stands for it in a list: an interface, a union, an edge of a connection. */
  members: readonly (readonly [string, string])[];
}

const TOKEN = /"""|"|#|[A-Za-z_]\w*|[{}()[\]:=|&@]/g;
const DEFINITION = /^(?:type|interface|union|input|enum|schema|scalar|directive|extend)$/;
/** https://relay.dev/graphql/connections.htm#sec-Edge-Types */
const EDGE = /Edge$/;

export function readSchemaText(text: string): SchemaText {
  const lists: ListField[] = [];
  const members: (readonly [string, string])[] = [];
  let kind = '';
  let owner = '';
  let field = '';
  let at = 0;
  let before = '';
  let depth = 0;
  let parentheses = 0;
  let isList = false;
  let isTyped = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    const end = endOfSkipped(text, token, tokens.lastIndex);
    if (end !== undefined) {
      tokens.lastIndex = end;
      continue;
    }
    // Arguments of fields and directives.
    if (token === '(') parentheses++;
    else if (token === ')') parentheses--;
    if (parentheses > 0 || token === ')') continue;
    if (token === '{') depth++;
    else if (token === '}') {
      depth--;
      kind = '';
    } else if (depth === 0) {
      if (/^\w/.test(token)) {
        if (before !== '=' && before !== '|' && DEFINITION.test(token)) {
          kind = token === 'extend' ? kind : token;
          owner = '';
        } else if (owner === '') owner = token;
        else if (kind === 'union' ? before === '=' || before === '|' : before !== '@' && token !== 'implements')
          members.push(kind === 'union' ? [token, owner] : [owner, token]);
      }
    } else if (depth === 1 && (kind === 'type' || kind === 'interface')) {
      if (token === ':') isTyped = true;
      else if (token === '[') isList = isTyped;
      else if (/^\w/.test(token) && before !== '@') {
        if (!isTyped) {
          field = token;
          at = match.index;
        } else {
          if (isList) lists.push({ type: token, field: `${owner}.${field}`, at });
          else if (field === 'node' && EDGE.test(owner)) members.push([token, owner]);
          isTyped = false;
          isList = false;
        }
      }
    }
    before = token;
  }
  return { lists, members };
}

/** The end of a comment or of a description. */
function endOfSkipped(text: string, token: string, from: number): number | undefined {
  if (token !== '"""' && token !== '"' && token !== '#') return undefined;
  const end = text.indexOf(token === '#' ? '\n' : token, from);
  return end < 0 ? text.length : end + (token === '#' ? 1 : token.length);
}
