import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { build, type Plugin } from 'rolldown';
import { codeFileOf, compileModule } from '../src/app/client/compiled-module.ts';
import { compactData } from './bundle.ts';
import { clientIndex, clientMain, groupByUse } from './client-modules.ts';
import { takeDefaultExports } from './default-exports.ts';

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
  const { groupOf, plugin } = groupByUse(root);
  await build({
    ...common,
    input: { ctl: join(root, clientMain), index: join(root, clientIndex.source) },
    preserveEntrySignatures: 'allow-extension',
    plugins: [largeData(), compactData, plugin],
    output: {
      ...output,
      sourcemapExcludeSources: true,
      chunkFileNames: '[name]-[hash].cjs',
      dynamicImportInCjs: false,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: 'commands', name: groupOf }],
      },
    },
  });
  for (const file of readdirSync(folder)) if (file.endsWith('.cjs')) await compile(join(folder, file));
}

/** Larger data lies in files of its own: in code its text would be read twice, once of it as compiled. */
const leastFileOfData = 100_000;

/** @throws Error when two files would get one name */
function largeData(): Plugin {
  const paths = new Map<string, string>();
  return {
    name: 'large data',
    load: {
      filter: { id: /\.json$/ },
      async handler(path) {
        const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
        if (text.length < leastFileOfData) return;
        const fileName = `${basename(dirname(path))}-${basename(path)}`;
        const other = paths.get(fileName) ?? path;
        if (other !== path) throw new Error(`bundle: ${fileName} would be both ${other} and ${path}`);
        paths.set(fileName, path);
        this.emitFile({ type: 'asset', fileName, source: text.replace(notAscii, escapeCharacter) });
        const read = `readFileSync(import.meta.dirname + ${JSON.stringify(`/${fileName}`)}, 'latin1')`;
        return {
          code: `import { readFileSync } from 'node:fs'; export default JSON.parse(${read});`,
          moduleType: 'js',
        };
      },
    },
  };
}

/** Keeps the code of all functions of a file, compiled as the runtime does by default. */
async function compile(file: string): Promise<void> {
  const taken = await takeDefaultExports(file, readFileSync(file, 'utf8'));
  const text = taken.replace(notAscii, escapeCharacter);
  writeFileSync(file, text);
  setFlagsFromString('--no-lazy');
  const script = compileModule(file, text);
  setFlagsFromString('--lazy');
  writeFileSync(codeFileOf(file), script.createCachedData());
}

const notAscii = /[^\0-\x7f]/g;

/**
 * A character as an escape, which means the same in names, texts and patterns of JavaScript. A file that has a single character
 * beyond Latin-1 takes two bytes for each one in memory.
 */
const escapeCharacter = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
