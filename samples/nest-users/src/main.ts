import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { UsersController } from './users.controller.ts';

@Module({ controllers: [UsersController] })
class AppModule {}

/** Builds the application; the caller listens. */
export async function buildApp() {
  return NestFactory.create(AppModule, { logger: false });
}

if (process.argv[1] === import.meta.filename) {
  const app = await buildApp();
  await app.listen(process.env.PORT ?? 3000);
}
