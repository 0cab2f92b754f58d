import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';

/** Packages that every server loads and that are many files, or mostly comments; with all that they import. */
const joinedPackages: ReadonlySet<string> = new Set([
  '@peculiar/x509',
  'reflect-metadata',
  'js-yaml',
  'sorted-btree',
]);

/** Whether a module is loaded from its own package, or from the runtime, instead of becoming part of the bundle. */
export function isExternal(id: string, importer: string | undefined, isResolved: boolean): boolean {
  if (isResolved) return false;
  if (isBuiltin(id)) return id !== 'node:http';
  return /^[^./]/.test(id) && !joinedPackages.has(id) && !importer?.includes('/node_modules/');
}

/**
 * The licenses of all packages that modules belong to, which ask to be where the code is.
 *
 * @throws Error for a package without one
 */
export function licensesOf(moduleIds: Iterable<string>): string {
  const folders = new Set<string>();
  for (const id of moduleIds) {
    const [folder] = /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return Array.from(folders).sort().map(describeLicense).join('\n');
}

function describeLicense(folder: string): string {
  const [file] = globSync('LICENSE*', { cwd: folder });
  if (file === undefined) throw new Error(`bundle: ${folder} has no license to go with its code`);
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<
    string,
    string
  >;
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
}
