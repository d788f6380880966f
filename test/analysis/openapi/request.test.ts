// From an operation of an OpenAPI file to a request: what is taken, what is left out, and what is named.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOpenApi } from '../../../analysis/openapi/document.ts';
import { splitQuery } from '../../../analysis/openapi/path-pattern.ts';
import { requestOfOperation, type RequestOfOperation } from '../../../analysis/openapi/request.ts';
import { readRequestParts, requestOfParts, textOfRequest } from '../../../analysis/profile/requests.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';
import { withinTime } from '../../../workspace/time-limit.ts';

function found(yaml: string, text: string): RequestOfOperation | undefined {
  const read = readOpenApi('openapi.yaml', yaml);
  assert.ok(read.ok, read.ok ? '' : read.why);
  const parts = readRequestParts(text);
  assert.ok(parts, text);
  return requestOfOperation(read.document, { ...parts, ...splitQuery(parts.path) });
}

/** As a person would type it, and what of it types alone gave. */
function told(yaml: string, text: string): [string, string] | undefined {
  const one = found(yaml, text);
  if (!one) return undefined;
  const { method, path, query, headers, body } = one.request;
  const request = requestOfParts({
    method,
    path: path + (query === undefined ? '' : `?${query}`),
    headers,
    ...(body !== undefined && { body }),
  });
  return [textOfRequest(request), one.madeUp.join(', ')];
}

/** `operation`: what stands below `paths: {'/users/{id}': {get: …}}`, in the flow style. */
const api = (path: string, method: string, operation: string, more = '') =>
  `openapi: 3.0.3\npaths: { '${path}': { ${method}: { ${operation} } } }\n${more}`;
const parameter = (schema: string, more = '') =>
  api('/users/{id}', 'get', `parameters: [{ name: id, in: path, required: true, ${schema} }${more}]`);
const body = (schema: string, more = '') => api('/orders', 'post', `requestBody: { content: { application/json: { ${schema} } } }`, more);
const SHOW = 'GET /users/:id';
const ORDER = 'POST /orders';

describe('the request of an operation', () => {
  it('leaves alone what was typed, what nothing describes, and what need not be sent', () => {
    const query = api('/users', 'get', 'parameters: [{ name: page, in: query, required: true, example: 2 }]');
    const cases: [yaml: string, typed: string, request: string | undefined][] = [
      [parameter('example: 7'), 'GET /users/1', 'GET /users/1'],
      [parameter('example: 7'), 'GET /users/{n}', 'GET /users/{n}'],
      [parameter('example: 7'), 'POST /users/1', undefined],
      [parameter('example: 7'), 'GET /user/1', undefined],
      [parameter('example: 7'), 'GET /users/1/orders', undefined],
      // A parameter that was typed is not the text of a path.
      [api('/users/me', 'get', ''), SHOW, undefined],
      [query, 'GET /users?page=9', 'GET /users?page=9'],
      [query, 'GET /users?', 'GET /users?'],
      [api('/users', 'get', 'parameters: [{ name: page, in: query, example: 2 }]'), 'GET /users', 'GET /users'],
      [body('example: { a: 1 }'), `${ORDER} {"b":2}`, `${ORDER} {"b":2}`],
      [body('example: { a: 1 }'), `${ORDER} -H "content-type: text/plain"`, `${ORDER} -H "content-type: text/plain" {}`],
      [
        api('/users', 'get', 'parameters: [{ name: X-Key, in: header, required: true, example: a }]'),
        'GET /users -H "x-key: b"',
        'GET /users -H "x-key: b"',
      ],
      // The connection's own headers, and those that OpenAPI says to ignore.
      [
        api(
          '/users',
          'get',
          'parameters: [{ name: Host, in: header, required: true, example: a }, { name: Authorization, in: header, required: true, example: a }]',
        ),
        'GET /users',
        'GET /users',
      ],
      // A header that would begin another one.
      [
        api('/users', 'get', 'parameters: [{ name: x-a, in: header, required: true, example: "a\\r\\nx-b: c" }]'),
        'GET /users',
        'GET /users',
      ],
      [api('/users', 'get', 'requestBody: { content: { application/json: { example: 1 } } }'), 'GET /users', 'GET /users'],
      [
        api('/users/{id}', 'delete', 'requestBody: { content: { application/json: { example: 1 } } }'),
        'DELETE /users/1',
        'DELETE /users/1',
      ],
    ];
    for (const [yaml, typed, request] of cases) assert.equal(told(yaml, typed)?.[0], request, `${typed} in ${yaml}`);
  });

  it('fills the path from the first that the file gives: an example, a default, an enumeration, a type', () => {
    const cases: [yaml: string, path: string, madeUp: string][] = [
      [parameter('example: 7, schema: { type: integer, example: 8 }'), '/users/7', ''],
      [parameter('examples: { one: { value: a b } }, schema: { type: string }'), '/users/a%20b', ''],
      [
        `${parameter("examples: { one: { $ref: '#/components/examples/E' } }")}components: { examples: { E: { value: 5 } } }`,
        '/users/5',
        '',
      ],
      [parameter('schema: { type: integer, example: 8, default: 9 }'), '/users/8', ''],
      [parameter('schema: { type: integer, examples: [6] }'), '/users/6', ''],
      [parameter('schema: { type: integer, default: 9, enum: [3] }'), '/users/9', ''],
      [parameter('schema: { enum: [null, b, c] }'), '/users/b', ''],
      [parameter('schema: { const: c }'), '/users/c', ''],
      [parameter('schema: { type: integer }'), '/users/1', 'path id'],
      [parameter('schema: { type: integer, minimum: 100 }'), '/users/100', 'path id'],
      [parameter('schema: { type: integer, minimum: 100, exclusiveMinimum: true }'), '/users/101', 'path id'],
      [parameter('schema: { type: integer, exclusiveMinimum: 4.5 }'), '/users/5', 'path id'],
      [parameter('schema: { type: integer, maximum: -3 }'), '/users/-3', 'path id'],
      [parameter('schema: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1 }'), '/users/0.5', 'path id'],
      [parameter('schema: { type: integer, minimum: 7, multipleOf: 5 }'), '/users/10', 'path id'],
      [parameter('schema: { type: integer, maximum: 3, multipleOf: 5 }'), '/users/0', 'path id'],
      [parameter('schema: { type: number, multipleOf: 5e-324 }'), '/users/1', 'path id'],
      [parameter('schema: { type: string }'), '/users/1', 'path id'],
      [parameter('schema: { type: string, minLength: 3 }'), '/users/111', 'path id'],
      [parameter('schema: { type: string, format: uuid }'), '/users/123e4567-e89b-12d3-a456-426614174000', 'path id'],
      [parameter('schema: { type: [string, "null"], format: date }'), '/users/2024-01-01', 'path id'],
      [parameter('schema: { type: boolean }'), '/users/true', 'path id'],
      [parameter('schema: { type: array, items: { enum: [a, b] } }'), '/users/a', ''],
      [
        `${parameter("schema: { $ref: '#/components/schemas/Id' }")}components: { schemas: { Id: { type: integer, minimum: 3 } } }`,
        '/users/3',
        'path id',
      ],
    ];
    for (const [yaml, path, madeUp] of cases) assert.deepEqual(told(yaml, SHOW), [`GET ${path}`, madeUp], yaml);
  });

  it('names the parameters of the path that nothing fills', () => {
    for (const schema of [
      'description: an ID',
      'schema: { type: string, minLength: 1000000000 }',
      'example: { a: 1 }',
      "schema: { $ref: 'other.yaml#/Id' }",
      "example: ''",
    ]) {
      const one = found(parameter(schema), SHOW);
      assert.deepEqual([one?.missing, one?.request.path], [['id'], '/users/:id'], schema);
    }
  });

  it('takes only required parameters of the query and the headers', () => {
    const parameters = dedent`
      openapi: 3.1.0
      paths:
        /search:
          parameters:
            - { name: q, in: query, required: true, example: hidden }
            - { name: X-Tenant, in: header, required: true, schema: { enum: [acme] } }
          get:
            parameters:
              - { name: q, in: query, required: true, example: a&b }
              - { name: tags, in: query, required: true, example: [x, y], schema: { type: array } }
              - { name: ids, in: query, required: true, explode: false, example: [1, 2], schema: { type: array } }
              - { name: filter, in: query, required: true, style: deepObject, schema: { type: object, required: [a], properties: { a: { example: 1 } } } }
              - { name: page, in: query, example: 3 }
              - { name: sid, in: cookie, required: true, schema: { type: integer } }
              - { name: json, in: query, required: true, content: { application/json: { example: { a: 1 } } } }
              - { name: none, in: query, required: true }
    `;
    assert.deepEqual(told(parameters, 'GET /search'), [
      'GET /search?q=a%26b&tags=x&tags=y&ids=1%2C2&filter%5Ba%5D=1&json=%7B%22a%22%3A1%7D -H "x-tenant: acme" -H "cookie: sid=1"',
      'cookie sid',
    ]);
    assert.deepEqual(found(parameters, 'GET /search')?.notes, [
      'The operation requires the query parameter `none`, for which the file has no value.',
    ]);
    assert.deepEqual(found(parameters, 'GET /search')?.parts, [
      'query q',
      'query tags',
      'query ids',
      'query filter',
      'query json',
      'header x-tenant',
      'cookie sid',
    ]);
  });

  it('separates the items of a list as the file says', () => {
    const listed = (more: string) =>
      api('/users', 'get', `parameters: [{ name: ids, in: query, required: true, example: [1, 2], ${more} }]`);
    const swagger = (more: string) =>
      `swagger: '2.0'\npaths: { /users: { get: { parameters: [{ name: ids, in: query, required: true, type: array, x-example: [1, 2]${more} }] } } }`;
    const cases: [yaml: string, query: string][] = [
      [listed('description: IDs'), 'ids=1&ids=2'],
      [listed('style: form, schema: { type: array }'), 'ids=1&ids=2'],
      [listed('style: form, explode: false, schema: { type: array }'), 'ids=1%2C2'],
      [listed('style: pipeDelimited, explode: true, schema: { type: array }'), 'ids=1&ids=2'],
      [listed('style: pipeDelimited, schema: { type: array }'), 'ids=1%7C2'],
      [listed('style: spaceDelimited, explode: false, schema: { type: array }'), 'ids=1%202'],
      [swagger(''), 'ids=1%2C2'],
      [swagger(', collectionFormat: multi'), 'ids=1&ids=2'],
      [swagger(', collectionFormat: pipes'), 'ids=1%7C2'],
    ];
    for (const [yaml, query] of cases) assert.equal(found(yaml, 'GET /users')?.request.query, query, yaml);
    // No server takes such an address.
    const long = 'x'.repeat(5000);
    for (const example of [`[${long}, ${long}]`, `{ a: ${long}, b: ${long} }`]) {
      const one = found(api('/users', 'get', `parameters: [{ name: ids, in: query, required: true, example: ${example} }]`), 'GET /users');
      assert.deepEqual([one?.request.query, one?.notes.length], [undefined, 1]);
    }
  });

  it('takes what stands beside the reference of a schema since OpenAPI 3.1', () => {
    const schemas = 'components: { schemas: { S: { type: string, example: theirs } } }';
    const yaml = body(
      "schema: { required: [a], properties: { a: { $ref: '#/components/schemas/S', example: own }, b: { $ref: '#/components/schemas/S' } } }",
      schemas,
    );
    assert.equal(found(yaml, ORDER)?.request.body, '{"a":"theirs","b":"theirs"}');
    assert.equal(found(yaml.replace('3.0.3', '3.1.0'), ORDER)?.request.body, '{"a":"own","b":"theirs"}');
  });

  it('sends nothing that no address or header can hold, and no header of the connection', () => {
    const required = (name: string, place: string, example: string) => ({ name, in: place, required: true, example });
    const asked = (operation: object, typed: string) =>
      found(
        JSON.stringify({
          openapi: '3.0.0',
          paths: { '/users': { get: operation }, '/users/{id}': { get: operation }, '/orders': { post: operation } },
        }),
        typed,
      );
    const connection = ['expect', 'TE', 'Keep-Alive', 'proxy-connection', 'trailer', 'upgrade'];
    const own = asked(
      { parameters: [...connection.map((name) => required(name, 'header', '100-continue')), required('x-a', 'header', 'é')] },
      'GET /users',
    );
    assert.deepEqual([own?.request.headers, own?.notes], [{ 'x-a': 'é' }, []]);
    const half = '\ud800';
    const broken = asked(
      {
        parameters: [
          required('q', 'query', half),
          required(half, 'query', 'a'),
          required('c', 'cookie', half),
          required('😀', 'query', '😀'),
        ],
      },
      'GET /users',
    );
    assert.deepEqual([broken?.request.query, broken?.request.headers, broken?.notes.length], ['%F0%9F%98%80=%F0%9F%98%80', {}, 3]);
    assert.deepEqual(asked({ parameters: [required('id', 'path', half)] }, SHOW)?.missing, ['id']);
    assert.equal(asked({ parameters: [required('id', 'path', '😀')] }, SHOW)?.request.path, '/users/%F0%9F%98%80');
    const type = (name: string) => asked({ requestBody: { content: { [name]: { example: { a: 1 } } } } }, ORDER);
    assert.deepEqual(type('application/json; charset=utf-8')?.request.headers, { 'content-type': 'application/json; charset=utf-8' });
    for (const name of ['application/json; x=é\r\nfoo: bar', 'application/json; x=漢']) {
      const one = type(name);
      assert.deepEqual([one?.request.headers, one?.request.body, one?.notes.length], [{}, undefined, 1], name);
    }
    const secured = found(
      JSON.stringify({
        openapi: '3.0.0',
        paths: { '/users': { get: { security: [{ key: [] }] } } },
        components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: half } } },
      }),
      'GET /users?a=1',
    );
    assert.equal(secured?.notes.length, 1);
  });

  it('makes the body of what is required and what has an example', () => {
    const node =
      "components: { schemas: { Node: { type: object, required: [name, next], properties: { name: { type: string }, next: { $ref: '#/components/schemas/Node' } } } } }";
    const cases: [yaml: string, json: string, madeUp: string][] = [
      [body('example: { a: 1 }, schema: { example: 2 }'), '{"a":1}', ''],
      [body('examples: { one: { value: [1] } }'), '[1]', ''],
      [body(`example: '{"a": 1}'`), '{"a":1}', ''],
      [body('schema: { example: { b: 1 } }'), '{"b":1}', ''],
      [body(`schema: { type: string }, example: '{"a": 1}'`), '"{\\"a\\": 1}"', ''],
      [body('schema: { type: [string, "null"], example: "[draft]" }'), '"[draft]"', ''],
      [body('schema: { anyOf: [{ type: "null" }, { type: integer }] }'), '1', 'body'],
      [body('schema: { oneOf: [{ type: "null" }, { type: file }] }'), 'null', 'body'],
      [body('schema: { type: array, uniqueItems: true, items: { example: 4 } }'), '[4]', ''],
      [body('schema: { type: array, uniqueItems: true, minItems: 2, items: { enum: [a, b, c] } }'), '["a","b"]', ''],
      [body('schema: { type: array, uniqueItems: true, minItems: 3, items: { type: integer, maximum: 2 } }'), '[1,2]', 'body[]'],
      [body('schema: { type: array, uniqueItems: true, minItems: 2, items: { type: string, example: x } }'), '["x","x1"]', 'body[]'],
      [body('schema: { type: array, uniqueItems: true, minItems: 2, items: { type: string, format: date } }'), '["2024-01-01"]', 'body[]'],
      [body('schema: { properties: { a: { type: string } } }'), '{}', ''],
      [
        body(
          'schema: { type: object, required: [a, b, c, id], properties: { a: { type: string, minLength: 8 }, b: { type: integer, minimum: 5 }, c: { type: array, minItems: 2, items: { type: boolean } }, d: { type: string }, e: { example: x }, id: { type: integer, readOnly: true } } }',
        ),
        '{"a":"stringst","b":5,"c":[true,true],"e":"x"}',
        'body.a, body.b, body.c[]',
      ],
      [
        body(
          'schema: { type: object, required: [mail, at], properties: { mail: { type: string, format: email }, at: { type: string, format: date-time } } }',
        ),
        '{"mail":"user@example.com","at":"2024-01-01T00:00:00Z"}',
        'body.mail, body.at',
      ],
      [body('schema: { required: [x] }'), '{"x":"string"}', 'body.x'],
      [
        body(
          'schema: { allOf: [{ required: [a], properties: { a: { default: 1 } } }, { required: [b], properties: { b: { enum: [z] } } }], properties: { c: { example: 3 } } }',
        ),
        '{"a":1,"b":"z","c":3}',
        '',
      ],
      [body('schema: { allOf: [{ example: { a: 1 } }] }'), '{"a":1}', ''],
      [body('schema: { oneOf: [{ type: file }, { type: integer }] }'), '1', 'body'],
      [
        body(
          "schema: { discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat' } }, oneOf: [{ $ref: '#/components/schemas/Cat' }] }",
          'components: { schemas: { Cat: { type: object, required: [kind, age], properties: { kind: { type: string }, age: { default: 2 } } } } }',
        ),
        '{"kind":"cat","age":2}',
        'body.kind',
      ],
      // A schema in itself ends where it begins again.
      [body("schema: { $ref: '#/components/schemas/Node' }", node), '{"name":"string"}', 'body.name'],
      [body("schema: { type: array, items: { $ref: '#/components/schemas/Node' } }", node), '[{"name":"string"}]', 'body[].name'],
      [body("schema: { $ref: '#/a' }", "a: { $ref: '#/b' }\nb: { $ref: '#/a' }"), '{}', ''],
      [body("schema: { $ref: '#/a' }", "a: { allOf: [{ $ref: '#/a' }], required: [x] }"), '{}', ''],
      [
        api(
          '/orders',
          'post',
          "requestBody: { $ref: '#/components/requestBodies/B' }",
          'components: { requestBodies: { B: { content: { text/json: { example: 1 } } } } }',
        ),
        '-H "content-type: text/json" 1',
        '',
      ],
      [
        api(
          '/orders',
          'post',
          'requestBody: { content: { application/xml: { example: x }, application/vnd.api+json: { example: { a: 1 } } } }',
        ),
        '-H "content-type: application/vnd.api+json" {"a":1}',
        '',
      ],
      [body('schema: { type: object, required: [__proto__], properties: { __proto__: { default: 1 } } }'), '{"__proto__":1}', ''],
    ];
    for (const [yaml, json, madeUp] of cases) assert.deepEqual(told(yaml, ORDER), [`${ORDER} ${json}`, madeUp], yaml);
    const form = found(api('/orders', 'post', 'requestBody: { content: { multipart/form-data: { example: x } } }'), ORDER);
    assert.deepEqual(form?.notes, [
      'The operation takes a body of the type `multipart/form-data`, which only you can provide, with its `content-type`.',
    ]);
  });

  it('reads Swagger 2, with the types of its parameters in themselves', () => {
    const swagger = dedent`
      swagger: '2.0'
      host: api.example.com
      basePath: /v1
      parameters:
        Tenant: { name: x-tenant, in: header, required: true, type: string, enum: [acme] }
      paths:
        /orders/{id}:
          put:
            parameters:
              - { name: id, in: path, required: true, type: integer, minimum: 10 }
              - { name: ids, in: query, required: true, type: array, items: { type: integer } }
              - { $ref: '#/parameters/Tenant' }
              - { name: order, in: body, schema: { $ref: '#/definitions/Order' } }
      definitions:
        Order: { type: object, required: [sku], properties: { sku: { type: string, example: tea } } }
    `;
    assert.deepEqual(told(swagger, 'PUT /v1/orders/:id'), [
      'PUT /v1/orders/10?ids=1 -H "x-tenant: acme" {"sku":"tea"}',
      'path id, query ids',
    ]);
    assert.equal(found(swagger, 'PUT /v1/orders/:id')?.hasHosts, true);
    assert.equal(
      told(
        'swagger: "2.0"\npaths: { /a: { post: { consumes: [application/xml], parameters: [{ in: body, name: b, schema: { example: 1 } }] } } }',
        'POST /a',
      )?.[0],
      'POST /a {}',
    );
  });

  it('finds the operation by its path, with the base path of the servers and without it', () => {
    const servers = dedent`
      openapi: 3.0.0
      servers: [{ url: 'https://{host}.example.com/{version}/', variables: { host: { default: api }, version: { default: v2 } } }]
      paths:
        /users/me: { get: { parameters: [{ name: a, in: query, required: true, example: own }] } }
        '/users/{id}': { get: { parameters: [{ name: id, in: path, example: 4 }] } }
        '/files/{name}.{ending}': { get: { parameters: [{ name: name, in: path, example: f }, { name: ending, in: path, example: txt }] } }
        '/users/{id}/orders/{order}': { get: { parameters: [{ name: id, in: path, example: 4 }, { name: order, in: path, example: 5 }] } }
    `;
    const cases: [typed: string, request: string | undefined][] = [
      ['GET /users/me', 'GET /users/me?a=own'],
      ['GET /v2/users/me', 'GET /v2/users/me?a=own'],
      ['GET /v2/users/:user', 'GET /v2/users/4'],
      ['GET /users/{user}', 'GET /users/4'],
      ['GET /users/:user(\\d+)', 'GET /users/4'],
      ['GET /users/9/orders/:id', 'GET /users/9/orders/5'],
      ['GET /files/:a.:b', 'GET /files/f.txt'],
      ['GET /files/a.b.c', 'GET /files/a.b.c'],
      ['GET /files/a', undefined],
      ['GET /v1/users/:user', undefined],
    ];
    for (const [typed, request] of cases) assert.equal(told(servers, typed)?.[0], request, typed);
    const one = found(servers, SHOW);
    assert.deepEqual([one?.operation, one?.hasHosts, one?.parts], ['GET /users/{id}', true, ['path id']]);
  });

  it('takes a slash at the end for none, and only braces for parameters', () => {
    const get = (example: string) => `{ get: { parameters: [{ name: q, in: query, required: true, example: ${example} }] } }`;
    const file = dedent`
      openapi: 3.0.0
      servers: [{ url: /v1/ }]
      paths:
        /: ${get('root')}
        /a/: ${get('slash')}
        /b: ${get('none')}
        /b/: ${get('slash')}
        '/u/{id}:archive': ${get('archive')}
        '/u/{id}': ${get('plain')}
    `;
    const cases: [typed: string, request: string | undefined][] = [
      ['GET /u/5', 'GET /u/5?q=plain'],
      ['GET /u/5:other', 'GET /u/5:other?q=plain'],
      ['GET /a/x/', undefined],
      ['GET /b', 'GET /b?q=none'],
      ['GET /b/', 'GET /b/?q=slash'],
      ['GET /a', 'GET /a?q=slash'],
      ['GET /a/', 'GET /a/?q=slash'],
      ['GET /v1/a/', 'GET /v1/a/?q=slash'],
      ['GET /', 'GET /?q=root'],
      ['GET /v1', 'GET /v1?q=root'],
      ['GET /v1/', 'GET /v1/?q=root'],
      ['GET /u/5:archive', 'GET /u/5:archive?q=archive'],
    ];
    for (const [typed, request] of cases) assert.equal(told(file, typed)?.[0], request, typed);
    const archive = api('/u/{id}:archive', 'post', 'parameters: [{ name: id, in: path, required: true, example: 5 }]');
    for (const typed of ['POST /u/{id}:archive', 'POST /u/:id:archive'])
      assert.equal(told(archive, typed)?.[0], 'POST /u/5:archive {}', typed);
  });

  it('names what the user has to prove, and makes none of it up', () => {
    const schemes = dedent`
      components:
        securitySchemes:
          token: { type: http, scheme: bearer }
          login: { type: http, scheme: basic }
          key: { type: apiKey, in: header, name: X-Key }
          part: { type: apiKey, in: query, name: key }
          session: { type: apiKey, in: cookie, name: sid }
          flow: { type: oauth2 }
    `;
    const secured = (security: string, more = '') => `${api('/users', 'get', security)}${schemes}\n${more}`;
    const needs = 'Nodometer does not make that up: add it to the request.';
    const cases: [yaml: string, typed: string, notes: string[]][] = [
      [secured(''), 'GET /users', []],
      [secured('security: []', 'security: [{ token: [] }]'), 'GET /users', []],
      [secured('security: [{ token: [] }, {}]'), 'GET /users', []],
      [secured('security: [{ token: [] }]'), 'GET /users -H "authorization: Bearer a"', []],
      [secured('security: [{ part: [] }]'), 'GET /users?key=a', []],
      [secured('security: [{ session: [] }]'), 'GET /users -H "cookie: a=b; sid=c"', []],
      [
        secured('', 'security: [{ token: [] }]'),
        'GET /users',
        [`The operation requires \`token\` (\`-H "authorization: Bearer …"\`). ${needs}`],
      ],
      [
        secured('security: [{ login: [], key: [] }, { flow: [] }]'),
        'GET /users -H "x-key: a"',
        [
          `The operation requires \`login\` (\`-H "authorization: Basic …"\`) and \`key\` (\`-H "x-key: …"\`), or \`flow\` (\`-H "authorization: Bearer …"\`). ${needs}`,
        ],
      ],
      [
        secured('security: [{ part: [] }, { session: [] }, { gone: [] }]'),
        'GET /users',
        [`The operation requires \`part\` (\`?key=…\` in the path), or \`session\` (\`-H "cookie: sid=…"\`), or \`gone\`. ${needs}`],
      ],
    ];
    for (const [yaml, typed, notes] of cases) {
      const one = found(yaml, typed);
      assert.deepEqual([one?.notes, one?.parts], [notes, []], yaml);
    }
  });
});

describe('names of an OpenAPI file', () => {
  it('make no link, and end no code span', () => {
    const hostile = dedent`
      openapi: 3.0.0
      security: [{ '\`](http://192.0.2.1)': [] }]
      paths:
        '/users/{<b>}':
          get:
            parameters:
              - { name: '<b>', in: path, schema: { type: integer } }
              - { name: '![a](http://192.0.2.1)', in: query, required: true, example: 1 }
    `;
    const one = found(hostile, SHOW);
    assert.deepEqual(
      [one?.operation, one?.parts, one?.madeUp],
      ['GET /users/{·b·}', ['path ·b·', 'query ·[a]·http://192.0.2.1·'], ['path ·b·']],
    );
    assert.match(String(one?.notes), /^The operation requires `·]·http:\/\/192\.0\.2\.1·`\. /);
  });
});

describe('an OpenAPI file', () => {
  it('is refused with a reason', () => {
    // Each map copies the one before it.
    const merges = Array.from({ length: 2000 }, (_, i) => `m${i}: &m${i} { k${i}: 1, <<: *m${Math.max(0, i - 1)} }`).join('\n');
    const cases: [name: string, text: string, why: RegExp][] = [
      ['a.yaml', 'openapi: 3.0.0\npaths: [', /^is not valid YAML \(line 2\)$/],
      ['a.json', '{\n"openapi": }', /^is not valid JSON(?: \(line 2\))?$/],
      ['a.yaml', '', /^is not an OpenAPI file: it holds no object$/],
      ['a.yaml', '- 1', /holds no object/],
      ['a.yaml', 'info: {}', /neither `openapi` nor `swagger`/],
      ['a.json', '{"openapi": "4.0.0"}', /^has version 4\.0\.0, but only OpenAPI 3 and Swagger 2 are read$/],
      ['a.yaml', "swagger: '1.2'", /^has version 1\.2,/],
      ['a.yaml', `openapi: 3.0.0\n${merges}`, /^has aliases that stand for too much$/],
      ['a.yaml', `openapi: 3.0.0\na: ${'['.repeat(5000)}`, /^is nested too deeply$/],
      ['a.yaml', `openapi: 3.0.0\na:\n  ${'- '.repeat(5000)}x`, /^is nested too deeply$/],
    ];
    for (const [name, text, why] of cases) {
      const read = readOpenApi(name, text);
      assert.match(read.ok ? 'read' : read.why, why, text.slice(0, 60));
    }
  });

  it('may have its version as a number', () => {
    for (const version of ['openapi: 3.0', 'openapi: 3.1', 'openapi: 3', "openapi: '3.0.3'", 'swagger: 2.0'])
      assert.ok(readOpenApi('openapi.yaml', `${version}\npaths: {}`).ok, version);
    for (const version of ['openapi: 30', 'openapi: 2.0', 'swagger: 3.0'])
      assert.ok(!readOpenApi('openapi.yaml', `${version}\npaths: {}`).ok, version);
  });

  it('gives no body that is larger than what stands in it', () => {
    // Each list has the one before it ten times.
    const levels = [...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[i]}`).join(', ')}]`);
    const bomb = `openapi: 3.0.0\na: &a [x]\n${levels.join('\n')}\npaths: { /orders: { post: { requestBody: { content: { application/json: { example: *h } } } } } }`;
    assert.equal(found(bomb, ORDER)?.request.body, undefined);
    const merge =
      'openapi: 3.0.0\nx: &x { example: 1, schema: 2 }\npaths: { /orders: { post: { requestBody: { content: { application/json: { <<: *x, example: 3 } } } } } }';
    assert.equal(found(merge, ORDER)?.request.body, '3');
    // Each alias stands for a long text.
    const large = dedent`
      openapi: 3.0.0
      x: &x ${'x'.repeat(100_000)}
      paths: { /orders: { post: { requestBody: { content: { application/json: { example: [${Array(20).fill('*x').join(', ')}] } } } } } }
    `;
    const one = found(large, ORDER);
    assert.deepEqual(
      [one?.request.body, one?.notes],
      [undefined, ['The operation takes a body for which the file has no value of a usable size.']],
    );
    // Each schema requires the next one twice.
    const schemas = Array.from(
      { length: 30 },
      (_, i) => `S${i}: { required: [a, b], properties: { a: { $ref: '#/S${i + 1}' }, b: { $ref: '#/S${i + 1}' } } }`,
    );
    const wide = found(body("schema: { $ref: '#/S0' }", schemas.join('\n')), ORDER);
    assert.ok((wide?.request.body ?? '').length < 1024 * 1024);
  });

  it('is not searched for longer than its size says', () => {
    const json = (root: object) => JSON.stringify({ openapi: '3.0.0', ...root });
    const posted = (schema: object, more: object) =>
      json({ paths: { '/orders': { post: { requestBody: { content: { 'application/json': { schema } } } } } }, ...more });
    const names = Array.from({ length: 1000 }, (_, i) => `p${i}`);
    const large = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    const options = Array.from({ length: 20_000 }, () => ({ $ref: '#/s' }));
    const inEach = Object.fromEntries(names.map((name) => [name, { oneOf: options.slice(0, 20) }]));
    const many = Array.from({ length: 3000 }, (_, i) => i);
    const cases: [text: string, typed: string][] = [
      [posted({ oneOf: options }, { s: { ...large, type: 'file' } }), ORDER],
      [posted({ required: names, properties: inEach }, { s: { ...large, type: 'file' } }), ORDER],
      [
        json({ servers: many.map((i) => ({ url: `/v${i}` })), paths: Object.fromEntries(many.map((i) => [`/p${i}`, { get: {} }])) }),
        'GET /a/b',
      ],
      [`openapi: 3.0.0\np: &p "#${'/'.repeat(300_000)}"\npaths:\n${many.map((i) => `  /p${i}: { $ref: *p }`).join('\n')}`, 'GET /a/b'],
    ];
    // Each of them took ten seconds and more. Processor time: a crowded machine takes longer by the clock.
    for (const [text, typed] of cases) {
      const before = process.cpuUsage();
      assert.equal(
        withinTime(() => found(text, typed)?.request.body, 60_000),
        undefined,
        text.slice(0, 60),
      );
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 5_000_000, `${text.slice(0, 60)}: ${(user + system) / 1e6} s`);
    }
  });
});
