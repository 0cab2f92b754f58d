import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The root of the project. */
export const root = join(import.meta.dirname, '../../..');

/** One import of a project file by another, paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Only types are taken, so that nothing is loaded. */
  readonly isTypeOnly: boolean;
}

const statement =
  /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|^import\s+'(\.[^']+)'/gm;

/** TypeScript sources of the programs. */
export function sourceFiles(): string[] {
  return globSync('{src,commands}/**/*.ts', { cwd: root }).sort();
}

/** The text of a file of the project. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Every import between files of the programs, static and dynamic. */
export const projectImports = (): Import[] => importsOf(sourceFiles());

/** Every import by files, static and dynamic, of other files of the project. */
export function importsOf(files: readonly string[]): Import[] {
  return files.flatMap((from) =>
    [...textOf(from).matchAll(statement)].map((match) => ({
      from,
      to: normalize(join(dirname(from), match[2] ?? match[3] ?? match[4] ?? '')),
      isTypeOnly: match[1] !== undefined,
    })),
  );
}

/** The layer that a file belongs to: the folder below `src`, or `commands`. */
export function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? second : top;
}
