import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { build, type Plugin } from 'rolldown';
import { codeFileOf, compileModule } from '../src/app/client/compiled-module.ts';
import { compactData } from './bundle.ts';
import { reach } from './group-modules.ts';

/** Modules that everyday commands load when they run. With all that these import they lie in one file. */
const everyday = [
  ...['src/app/client/main.ts', 'src/ctl/index.ts'],
  ...['src/ctl/get/index.ts', 'src/ctl/get/tables.ts', 'src/ctl/resource/read-collection.ts'],
  'src/ctl/version.ts',
];

/**
 * Joins the client's sources into files of `dist/ctl`, apart from those of the other programs: it must start at once, and shares
 * nothing with a server but time. They are CommonJS modules in ASCII, which load in half the time of others, and lie beside
 * their compiled code. @throws Error of the bundler, which tells what is wrong
 */
export async function bundleClient(root: string): Promise<void> {
  const folder = join(root, 'dist/ctl');
  rmSync(folder, { recursive: true, force: true });
  const common = {
    cwd: root,
    platform: 'node',
    transform: { target: 'node24' },
    external: /^[^./]/,
    logLevel: 'warn',
    checks: { ineffectiveDynamicImport: false },
  } as const;
  const output = { dir: folder, format: 'cjs', entryFileNames: '[name].cjs', sourcemap: true } as const;
  await build({ ...common, input: { start: join(root, 'src/app/client/start.ts') }, output });
  const { names, plugin } = groupEveryday(root);
  await build({
    ...common,
    input: { ctl: join(root, 'src/app/client/main.ts') },
    preserveEntrySignatures: 'allow-extension',
    plugins: [compactData, plugin],
    output: {
      ...output,
      sourcemapExcludeSources: true,
      chunkFileNames: '[name]-[hash].cjs',
      dynamicImportInCjs: false,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: 'everyday', name: (path) => (names.has(path) ? 'everyday' : null) }],
      },
    },
  });
  for (const file of readdirSync(folder)) if (file.endsWith('.cjs')) compile(join(folder, file));
}

function groupEveryday(root: string): { readonly names: ReadonlySet<string>; readonly plugin: Plugin } {
  const names = new Set<string>();
  const plugin: Plugin = {
    name: 'group everyday',
    buildEnd(error) {
      if (error !== undefined) return;
      const starts = everyday.map((file) => join(root, file));
      for (const path of reach((path) => this.getModuleInfo(path)?.importedIds, starts)) names.add(path);
    },
  };
  return { names, plugin };
}

/** Keeps the code of all functions of a file, compiled as the runtime does by default. */
function compile(file: string): void {
  const text = readFileSync(file, 'utf8')
    .replace(defaultOfCommonJs, '$1);')
    .replace(/[^\0-\x7f]/g, escapeCharacter);
  writeFileSync(file, text);
  setFlagsFromString('--no-lazy');
  const script = compileModule(file, text);
  setFlagsFromString('--lazy');
  writeFileSync(codeFileOf(file), script.createCachedData());
}

/** Takes all exports of a module of another package for its default one, which modules that are no CommonJS have beside the others. */
const defaultOfCommonJs = /(= (?:\w+\.)?__toESM\(\w+), 1\);/g;

/** The same in names, texts and patterns of JavaScript. One character of two bytes would make all of a file's text take two. */
const escapeCharacter = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
