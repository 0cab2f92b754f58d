import { Script } from 'node:vm';

/** A CommonJS module as a function, with the parameters that the runtime's own loader gives. */
export type ModuleBody = (
  exports: unknown,
  require: (name: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

/** The file that holds the compiled code of a module. */
export const codeFileOf = (file: string): string => file.replace(/\.cjs$/, '.code');

/**
 * Compiles a module into a script whose value is its `ModuleBody`. Given the code that was kept of it, nothing is parsed, unless
 * another runtime made that (`cachedDataRejected`).
 */
export function compileModule(file: string, text: string, code?: Buffer): Script {
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
  return new Script(wrapped, { filename: file, cachedData: code });
}
