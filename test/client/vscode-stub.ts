// A VS Code of the tests' own for modules of the client: what it is given is what they import from 'vscode'.
import { register } from 'node:module';

/** Once in a test file: before the first module that imports 'vscode' is loaded. */
export function provideVsCode(vscode: Readonly<Record<string, unknown>>): void {
  Object.assign(globalThis, { vscodeForTests: vscode });
  const stub = `data:text/javascript,export const { ${Object.keys(vscode).join(', ')} } = globalThis.vscodeForTests;`;
  register(
    `data:text/javascript,${encodeURIComponent(`export const resolve = (name, context, next) =>
      name === 'vscode' ? { url: ${JSON.stringify(stub)}, shortCircuit: true, format: 'module' } : next(name, context);`)}`,
  );
}
