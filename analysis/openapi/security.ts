// What an operation of an OpenAPI file wants to know of who asks. It is named, and never made up.
import { get, isObject, isUnicode, listIn, resolved, shownName, type Json, type OpenApiDocument } from './document.ts';
import type { TypedRequest } from './typed-request.ts';

const MOST_NAMED = 4;
/** Alternatives, and schemes of each. Our choice. */
const MOST_READ = 50;

/** One sentence, unless the request has what it takes. */
export function securityNotes(document: OpenApiDocument, operation: Json, request: TypedRequest): string[] {
  const own = get(operation, 'security');
  const requirements = (Array.isArray(own) ? own : listIn(document.root, 'security')).filter(isObject).slice(0, MOST_READ);
  if (requirements.length === 0) return [];
  const alternatives = requirements.map((requirement) =>
    Object.keys(requirement)
      .slice(0, MOST_READ)
      .map((name) => schemeOf(document, name)),
  );
  // An empty requirement says that nobody need say who he is.
  if (alternatives.some((schemes) => schemes.every(({ isGiven }) => isGiven(request)))) return [];
  const texts = alternatives.map((schemes) => schemes.map(({ text }) => text).join(' and '));
  return [
    `The operation requires ${[...new Set(texts)].slice(0, MOST_NAMED).join(', or ')}. Nodometer does not make that up: add it to the request.`,
  ];
}

interface Scheme {
  text: string;
  isGiven(request: TypedRequest): boolean;
}

function schemeOf(document: OpenApiDocument, name: string): Scheme {
  const { root, isSwagger } = document;
  const schemes = isSwagger ? get(root, 'securityDefinitions') : get(get(root, 'components'), 'securitySchemes');
  const scheme = resolved(document, get(schemes, name));
  const header = (wanted: string, value: string): Scheme => ({
    text: `\`${shownName(name)}\` (\`-H "${shownName(wanted)}: ${value}"\`)`,
    isGiven: ({ headers }) => Object.hasOwn(headers, wanted),
  });
  const key = String(get(scheme, 'name') ?? '');
  switch (get(scheme, 'type')) {
    case 'apiKey':
      if (get(scheme, 'in') === 'query')
        return {
          text: `\`${shownName(name)}\` (\`?${shownName(key)}=…\` in the path)`,
          isGiven: ({ query = '' }) => isUnicode(key) && query.split('&').some((pair) => pair.startsWith(`${encodeURIComponent(key)}=`)),
        };
      if (get(scheme, 'in') === 'cookie')
        return {
          text: `\`${shownName(name)}\` (\`-H "cookie: ${shownName(key)}=…"\`)`,
          isGiven: ({ headers }) => (headers.cookie ?? '').split(/; */).some((pair) => pair.startsWith(`${key}=`)),
        };
      return header(key.toLowerCase(), '…');
    case 'basic':
      return header('authorization', 'Basic …');
    case 'http':
      return header('authorization', /^basic$/i.test(String(get(scheme, 'scheme'))) ? 'Basic …' : 'Bearer …');
    case 'oauth2':
    case 'openIdConnect':
      return header('authorization', 'Bearer …');
    default:
      return { text: `\`${shownName(name)}\``, isGiven: () => false };
  }
}
