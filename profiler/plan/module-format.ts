// How Node loads a module.
export type ModuleFormat = 'commonjs' | 'module';
