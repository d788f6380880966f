// Frameworks whose handlers are methods or exports, in TypeScript: Nest's controllers, and route handlers of Next.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_5, type FixCase } from '../fix-case.ts';

const FIX = /^Convert/;
const DATA = { 'one.txt': 'one', 'two.json': '{"a":2}', 'broken.json': '{', 'folder/b.txt': 'b' };
const REQUESTS = [
  { path: '/files?file=one.txt' },
  { path: '/files?file=none' },
  { path: '/files?file=two.json' },
  { path: '/files?file=broken.json' },
  [{ path: '/files?file=one.txt' }, { path: '/files?file=folder' }, { path: '/files?file=two.json' }],
];

/** A controller with one route; `provider` is what it asks. */
const nest = (name: string, method: string, expect: FixCase['expect'] = 'same', fix: FixCase['fix'] = FIX, provider = ''): FixCase => ({
  name: `Nest: ${name}`,
  files: {
    'main.ts': `import 'reflect-metadata';
import { Controller, Get, Module, Query, Res, UseFilters, Catch, HttpException, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as fs from 'node:fs';

@Catch()
class Errors {
  catch(error: any, host: any) {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    host.switchToHttp().getResponse().status(status).send(error.code ?? error.name);
  }
}
${provider}
@Controller('files')
@UseFilters(new Errors())
class FilesController {
  ${method}
}

@Module({ controllers: [FilesController] })
class AppModule {}

export const server = async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.init();
  return app.getHttpServer();
};
`,
  },
  manifest: {
    ...EXPRESS_5,
    dependencies: { '@nestjs/core': '^12.0.0', '@nestjs/common': '^12.0.0', '@nestjs/platform-express': '^12.0.0' },
  },
  data: DATA,
  rule: 'no-sync-in-handler',
  fix,
  expect,
  requests: REQUESTS,
});

const next = (name: string, body: string, expect: FixCase['expect'] = 'same', before = ''): FixCase => ({
  name: `Next: ${name}`,
  files: {
    'app/api/files/route.ts': `import fs from 'node:fs';
${before}
export function GET(request: Request) {
  const file = String(new URL(request.url).searchParams.get('file'));
  ${body}
}
`,
    // As Next does: nothing in the code shows who calls it.
    'main.ts': `const { GET } = module.require(['./app/api/files', 'route'].join('/'));
const ask = async (path: string) => {
  try {
    const response = await GET(new Request('http://localhost' + path));
    return [response.status, await response.text()];
  } catch (error: any) {
    return error.code ?? error.name;
  }
};
export const run = async () => [
  await ask('/api/files?file=one.txt'),
  await ask('/api/files?file=none'),
  await ask('/api/files?file=broken.json'),
  await Promise.all([ask('/api/files?file=folder'), ask('/api/files?file=two.json')]),
];
`,
  },
  manifest: { ...EXPRESS_5, dependencies: { next: '^15.0.0', react: '^19.0.0' } },
  data: DATA,
  rule: 'no-sync-in-handler',
  fix: FIX,
  expect,
});

export const typescriptCases: readonly FixCase[] = [
  nest('a read', "@Get() show(@Query('file') file: string) { return fs.readFileSync(file, 'utf8'); }"),
  nest(
    'a declared result',
    "@Get() show(@Query('file') file: string): { text: string } { return { text: fs.readFileSync(file, 'utf8') }; }",
  ),
  nest(
    'an exception',
    dedent`
      @Get() show(@Query('file') file: string) {
          if (!fs.existsSync(file)) throw new NotFoundException();
          return JSON.parse(«fs.readFileSync(file, 'utf8')»);
        }
    `,
  ),
  nest(
    'the response itself',
    "@Get() show(@Query('file') file: string, @Res() response: any) { response.send(fs.readFileSync(file, 'utf8')); }",
  ),
  nest(
    'a try',
    dedent`
      @Get() show(@Query('file') file: string) {
          try {
            return fs.readFileSync(file, 'utf8');
          } catch (error: any) {
            return error.code;
          }
        }
    `,
  ),
  nest(
    'a function of the file',
    "@Get() show(@Query('file') file: string) { return load(file).toUpperCase(); }",
    'same',
    FIX,
    dedent`
      function load(file: string): string {
        return fs.readFileSync(file, 'utf8');
      }

    `,
  ),
  next('a read', "return new Response(fs.readFileSync(file, 'utf8'));"),
  next(
    'a missing file',
    dedent`
      if (!fs.existsSync(file)) return new Response('none', { status: 404 });
        return new Response(«fs.readFileSync(file, 'utf8')»);
    `,
  ),
  next('two reads', "return Response.json([fs.statSync(file).size, fs.readFileSync(file, 'utf8')]);"),
  next(
    'a function of the file',
    'return Response.json(load(file));',
    'same',
    dedent`
      function load(file: string): { a: number } {
        return JSON.parse(fs.readFileSync(file, 'utf8'));
      }

    `,
  ),
];
