// The types of the built plugin, for configurations in TypeScript.
import type { ESLint, Linter } from 'eslint';

declare const plugin: ESLint.Plugin & { configs: { recommended: Linter.Config } };
export default plugin;
