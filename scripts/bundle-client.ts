import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { build, type Plugin } from 'rolldown';
import { codeFileOf, compileModule } from '../src/app/client/compiled-module.ts';
import { compactData } from './bundle.ts';
import { takeDefaultExports } from './default-exports.ts';
import { type Grouping, reach } from './group-modules.ts';

/** Modules that the client loads at once for any command and the one that is typed most. */
const always = [
  'src/app/client/main.ts',
  ...['index.ts', 'version.ts', 'get/index.ts', 'get/tables.ts', 'resource/read-collection.ts'].map(ofCtl),
];

/** What writes and reads objects in YAML and JSON. */
const forms = ['src/machinery/codec/index.ts', ofCtl('printers/object-printer.ts')];

/** Modules that other everyday commands load when they run. */
const commands: Readonly<Record<string, readonly string[]>> = {
  objects: [...forms, ...['get/objects.ts', 'printers/json.ts'].map(ofCtl)],
  config: [...forms, ...['config-verbs/index.ts', 'config-verbs/view.ts'].map(ofCtl)],
  describe: ['describe/index.ts', 'describe/pod.ts'].map(ofCtl),
  explain: [ofCtl('explain/index.ts'), 'src/client/openapi/index.ts'],
  create: [...forms, ...['create/index.ts', 'create/configmap.ts'].map(ofCtl)],
  apply: [
    ...['apply/index.ts', 'validation/index.ts'].map(ofCtl),
    ...['src/client/openapi/index.ts', 'src/machinery/patch/strategic/index.ts'],
  ],
};

function ofCtl(file: string): string {
  return `src/ctl/${file}`;
}

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
    input: { ctl: join(root, 'src/app/client/main.ts') },
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

/** Modules lie in one file when the same everyday commands load them: each file takes a fifth of a millisecond. */
function groupByUse(root: string): Grouping {
  const groups = new Map<string, string>();
  const plugin: Plugin = {
    name: 'group by use',
    buildEnd(error) {
      if (error !== undefined) return;
      const closureOf = (files: readonly string[]) =>
        reach(
          (path) => this.getModuleInfo(path)?.importedIds,
          files.map((file) => join(root, file)),
        );
      for (const [name, files] of Object.entries(commands))
        for (const path of closureOf(files))
          groups.set(path, [groups.get(path) ?? [], name].flat().join('-'));
      for (const path of closureOf(always)) groups.set(path, 'always');
    },
  };
  return { groupOf: (path) => groups.get(path) ?? null, plugin };
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
