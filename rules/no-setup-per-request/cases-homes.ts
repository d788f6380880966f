// What stays the same for the only instance of a class, and what a function that makes handlers was given.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

type Message = 'thing' | 'client' | 'call' | 'compared';

const EXPRESS = "const app = require('express')();\n";
const AJV = "const Ajv = require('ajv');\n";
const IN_FIELD = 'Build it on first use, and keep it in a field.';

/** A service of Nest with one method, which a route calls. */
const service = (body: string, decorator = '@Injectable()', type = 'ConfigService'): string => dedent`
  import { Controller, Get, Injectable, Scope } from '@nestjs/common';
  import { ConfigService } from '@nestjs/config';
  import { TenantConfig } from './tenant-config';
  import { S3Client } from '@aws-sdk/client-s3';
  import axios from 'axios';

  ${decorator}
  export class Files {
    private readonly base = \`\${process.env.API}/v1\`;
    private readonly mine = axios.create({ baseURL: this.base });
    private current = 'a';
    private readonly options = { region: 'a' };
    open = 'a';
    #zone = 'a';
    constructor(private readonly config: ${type}, private readonly region: string) {}

    async list() {
      ${body}
    }
  }

  @Controller('files')
  export class FilesController {
    constructor(private readonly files: Files) {}

    @Get()
    list() {
      return this.files.list();
    }
  }
`;
const SEND = 'return client.send(command);';

const SERVICES: readonly (readonly [name: string, code: string])[] = [
  ['a field that its own methods change', service("const api = axios.create({ baseURL: this.current }); this.current = 'b'; return api;")],
  ['what whoever creates the service passes', service(`const client = new S3Client({ region: this.region }); ${SEND}`)],
  [
    'an instance for each request',
    service(`const client = new S3Client({ region: this.config.get('R') }); ${SEND}`, '@Injectable({ scope: Scope.REQUEST })'),
  ],
  [
    'settings of the tenant',
    service(`const client = new S3Client({ region: this.config.get('R') }); ${SEND}`, '@Injectable()', 'TenantConfig'),
  ],
  [
    'settings that a request changes',
    service(`this.config.set('R', region); const client = new S3Client({ region: this.config.get('R') }); ${SEND}`),
  ],
  ['a field that other files may write', service(`const client = new S3Client({ region: this.open }); ${SEND}`)],
  ['an object in a field', service(`this.options.region = 'b'; const client = new S3Client(this.options); ${SEND}`)],
  ['a field that a pattern writes', service(`const client = new S3Client({ region: this.base }); [this.base] = await client.regions();`)],
  [
    'fields that are all written',
    service(`const client = new S3Client({ region: this.base }); Object.assign(this, await client.settings());`),
  ],
  [
    'what the request is injected into',
    service(`const client = new S3Client({ region: this.base }); ${SEND}`).replace(
      'constructor(',
      'constructor(@Inject(REQUEST) private request: Request, ',
    ),
  ],
  ['another decorator', service(`const client = new S3Client({ region: this.base }); ${SEND}`, '@PerTenant()\n@Injectable()')],
  ['a class that anybody may create', service(`const client = new S3Client({ region: this.config.get('R') }); ${SEND}`, '')],
  ['a field that is built with the service', service("return this.mine.get('/');")],
];

export const homeInnocents: readonly ValidCase[] = [
  {
    name: 'a schema that the request names',
    code: dedent`
      ${EXPRESS}${AJV}const validate = (schemas) => (req, res, next) => (new Ajv().compile(schemas[req.query.kind])(req.body) ? next() : res.sendStatus(400));
      app.post('/', validate(require('./schemas')), (req, res) => res.end());
    `,
  },
  {
    name: 'a handler that is made for each request',
    code: dedent`
      ${EXPRESS}${AJV}const validate = (schema) => (req, res, next) => (new Ajv().compile(schema)(req.body) ? next() : res.sendStatus(400));
      app.post('/', (req, res, next) => validate(req.tenant.schema)(req, res, next));
    `,
  },
  {
    name: 'a handler that is made and called at once, for what a caller asks',
    code: dedent`
      ${EXPRESS}${AJV}const validate = (schema) => (req, res) => res.json(new Ajv().compile(schema)(req.body));
      const check = (kind, req, res) => validate(kind.schema)(req, res);
      app.post('/', (req, res) => check(req.kind, req, res));
    `,
  },
  {
    name: 'what the maker was given changes',
    code: dedent`
      ${EXPRESS}${AJV}const validate = (schema) => (req, res, next) => {
        const valid = new Ajv().compile(schema);
        schema.required.push(req.query.field);
        return valid(req.body) ? next() : res.sendStatus(400);
      };
      app.post('/', validate({ type: 'object', required: [] }), (req, res) => res.end());
    `,
  },
  {
    name: 'a function for one user, which gets no request',
    code: dedent`
      ${EXPRESS}const priceFor = (locale) => (value) => new Intl.NumberFormat(locale, { style: 'percent' }).format(value);
      app.get('/', (req, res) => res.send(priceFor(req.locale)(1)));
    `,
  },
  {
    name: 'a schema of Joi whose fields are built',
    code: dedent`
      ${EXPRESS}const Joi = require('joi');
      const validate = (fields) => (req, res, next) => next(Joi.object(fields).validate(req.body).error);
      app.post('/', validate({ name: Joi.string() }), (req, res) => res.end());
    `,
  },
  {
    name: 'a validator of the schema that a maker was given',
    code: dedent`
      ${EXPRESS}${AJV}const validate = (schema) => (req, res, next) => {
        const ajv = new Ajv({ allErrors: true });
        const valid = ajv.compile(schema);
        return valid(req.body) ? next() : res.sendStatus(400);
      };
      app.post('/users', validate({ type: 'object' }), (req, res) => res.end());
    `,
  },
  {
    name: 'a formatter by an option of a maker, in a wrapper',
    code: dedent`
      ${EXPRESS}const { wrap } = require('./wrap');
      function prices({ locale = 'en' }) {
        const style = 'percent';
        return wrap(async (req, res) => res.send(new Intl.NumberFormat(locale, { style }).format(req.query.n)));
      }
      app.get('/prices', prices({ locale: 'de' }));
    `,
  },
  ...SERVICES.map(([name, code]) => ({ name, file: 'src/files.ts', code })),
];

export const homes: readonly InvalidCase<Message>[] = [
  {
    name: 'a client by the configuration of Nest',
    file: 'src/files.ts',
    code: service(`const region = this.config.getOrThrow<string>('R'); const client = «new S3Client»({ region }); ${SEND}`),
    findings: [{ messageId: 'client', route: 'GET /files', data: { instead: IN_FIELD } }],
  },
  {
    name: 'a private field',
    file: 'src/files.ts',
    code: service(`const client = «new S3Client»({ region: this.#zone }); ${SEND}`),
    findings: [{ messageId: 'client', route: 'GET /files', data: { instead: IN_FIELD } }],
  },
  {
    name: 'a field that nothing changes',
    file: 'src/files.ts',
    code: service("const api = «axios.create»({ baseURL: this.base }); return (await api.get('/')).data;"),
    findings: [{ messageId: 'thing', severity: 'hint', route: 'GET /files', data: { instead: IN_FIELD } }],
  },
];
