// Classes that Nest makes while the program starts, and those that a request has for itself.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { App } from './support.ts';

const READS = `export function load() {}\nexport function scan() {}\nexport function read() {}\n`;

const registry = (decorator: string, name = 'Registry'): string => dedent`
  import { Inject, Injectable, Scope } from '@nestjs/common';
  import { REQUEST } from '@nestjs/core';
  import { load, scan, read } from './s';
  ${decorator}
  export class ${name} {
    private static isReady = false;
    private kept: string | undefined;
    constructor() {
      if (!${name}.isReady) { load(); ${name}.isReady = true; }
    }
    onModuleInit() { this.get(); }
    get() { return (this.kept ??= scan()); }
    reload() { return read(); }
  }

`;

const controller = (own = ''): string => dedent`
  import { Controller, Get } from '@nestjs/common';
  import { Registry } from './registry';
  @Controller('items')
  export class ItemsController {
    constructor(private readonly registry: Registry) {}
    @Get() list() { return this.registry.get(); }
    @Get('fresh') fresh() { return this.registry.reload(); }
    ${own}
  }

`;

const module = (providers: string): string => dedent`
  import { Module } from '@nestjs/common';
  import { ItemsController } from './items.controller';
  import { Registry } from './registry';
  import { Other } from './other';
  @Module({ controllers: [ItemsController], ${providers} })
  export class AppModule {}

`;

const OTHER = dedent`
  import { Injectable, Scope } from '@nestjs/common';
  @Injectable({ scope: Scope.REQUEST })
  export class Other {}

`;

const files = (decorator: string, providers: string, own = ''): App['files'] => ({
  'src/s.ts': READS,
  'src/registry.ts': registry(decorator),
  'src/items.controller.ts': controller(own),
  'src/app.module.ts': module(providers),
});

const common = { dependencies: ['@nestjs/common', '@nestjs/core'] };

export const providerCases: readonly App[] = [
  {
    ...common,
    name: 'a provider of Nest with another scope belongs to its request',
    files: files('@Injectable({ scope: Scope.REQUEST })', 'providers: [Registry]'),
    once: ['src/s.ts#scan'],
    reached: ['src/s.ts#read GET /items/fresh'],
  },
  {
    ...common,
    name: 'a transient provider of Nest, of which each has its own',
    files: files('@Injectable({ scope: Scope.TRANSIENT })', 'providers: [Registry]'),
    once: ['src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider that no module of Nest names',
    files: files('@Injectable()', 'providers: []'),
    once: ['src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider of Nest that may be injected what a request has for itself',
    files: { ...files('@Injectable()', 'providers: [Registry, Other]'), 'src/other.ts': OTHER },
    once: ['src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a class of that name without a decorator of Nest',
    files: files('', 'providers: [Registry]'),
    once: ['src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider of Nest of which a handler makes another',
    files: files('@Injectable()', 'providers: [Registry]', "@Get('own') own() { return new Registry().get(); }"),
    once: ['src/s.ts#load', 'src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider of Nest of which a file without Nest makes another, under another name',
    files: {
      ...files('@Injectable()', 'providers: [Registry]'),
      'src/items.controller.ts': `import { make } from './make';\n${controller("@Get('own') own() { return make().get(); }")}`,
      'src/make.ts': "import { Registry as Own } from './registry';\nexport const make = () => new Own();\n",
    },
    once: ['src/s.ts#load', 'src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider of Nest of which a handler asks for another',
    files: files('@Injectable()', 'providers: [Registry]', "@Get('own') async own() { return (await this.ref.create(Registry)).get(); }"),
    once: ['src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a class in an array that no module has',
    files: {
      ...files('@Injectable()', 'providers: []'),
      'src/jobs.ts': "import { Logger } from '@nestjs/common';\nimport { Registry } from './registry';\nexport const JOBS = [Registry];\n",
    },
    once: ['src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider of Nest in a list of its module',
    files: {
      ...files('@Injectable()', ''),
      'src/app.module.ts': module('providers: [...COMMON]').replace('@Module', 'const COMMON = [Registry];\n@Module'),
    },
    idle: ['src/s.ts#load', 'src/s.ts#scan'],
  },
  {
    ...common,
    name: 'a provider of Nest, whose constructor and hooks run at startup',
    files: files('@Injectable()', 'providers: [Registry]'),
    idle: ['src/s.ts#load', 'src/s.ts#scan'],
    reached: ['src/s.ts#read GET /items/fresh'],
  },
  {
    ...common,
    name: 'a provider of Nest of the scope that is the default, under a token',
    files: files('@Injectable({ scope: Scope.DEFAULT })', "providers: [{ provide: 'registry', useClass: Registry }]"),
    idle: ['src/s.ts#load', 'src/s.ts#scan'],
  },
];
