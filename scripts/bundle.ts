import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { clientIndex } from './client-modules.ts';

/** Threads begin in files of their own, which nothing imports. */
const threadAddress = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;
/** Text is parsed faster as JSON than as code, and larger data takes less memory so. */
const leastTextOfData = 4000;
/** Below this it does not matter how the runtime keeps a text. */
const leastWideText = 100_000;

/**
 * Joins the sources into few files below `dist`: hundreds of modules take longer to load, and more memory, than what is in
 * them. What several programs share lies in `dist/chunks`; commands are loaded when they are called, as in the sources.
 * Each file has a source map beside it. @throws Error of the bundler, which tells what is wrong
 */
export async function bundle(root: string): Promise<void> {
  const sources = globSync('{src,commands}/**/*.ts', { cwd: root }).sort();
  const threads = (await Promise.all(sources.map((file) => findThreads(root, file)))).flat();
  const forOclif = sources.filter((file) => file.startsWith('commands/'));
  const entries = ['src/app/main.ts', 'src/app/index.ts', ...threads, ...forOclif];
  const { output } = await build({
    cwd: root,
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
    platform: 'node',
    transform: { target: 'node24' },
    external: /^[^./]/,
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    // A module may be imported at once by one that is itself loaded later.
    checks: { ineffectiveDynamicImport: false },
    plugins: [clientApart(root), compactData, addressThreads(root)],
    output: {
      dir: 'dist',
      format: 'esm',
      sourcemap: true,
      sourcemapExcludeSources: true,
      // The runtime keeps the text of what it has loaded.
      comments: { jsdoc: false },
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
  });
  // With one such letter the runtime keeps two bytes for each letter of the file.
  const wide = output.find(
    (file) => file.type === 'chunk' && file.code.length > leastWideText && /[^\0-\xff]/.test(file.code),
  );
  if (wide !== undefined) throw new Error(`${wide.fileName}: write letters beyond Latin-1 as \\u escapes`);
}

/** The client lies in files of its own (`bundleClient`), which are loaded by whoever needs it. */
function clientApart(root: string): Plugin {
  const { source, built } = clientIndex;
  return {
    name: 'client apart',
    resolveId: {
      filter: { id: /\/ctl\/index\.ts$/ },
      handler(id, importer = '') {
        if (resolve(dirname(importer), id) !== join(root, source)) return undefined;
        // The bundler takes the root for what becomes `dist`.
        return { id: join(root, built), external: 'relative' };
      },
    },
  };
}

async function findThreads(root: string, file: string): Promise<string[]> {
  const code = await readFile(join(root, file), 'utf8');
  return Array.from(code.matchAll(threadAddress), ([, name]) => `${join(dirname(file), name ?? '')}.ts`);
}

/** Data as text that is parsed, not as code. */
export const compactData: Plugin = {
  name: 'compact data',
  load: {
    filter: { id: /\.json$/ },
    async handler(path) {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      if (text.length < leastTextOfData) return { code: text, moduleType: 'json' };
      return { code: `export default JSON.parse(${JSON.stringify(text)});`, moduleType: 'js' };
    },
  },
};

/** Code moves to other folders; the files of threads keep their places below `dist`, from which they are found. */
function addressThreads(root: string): Plugin {
  return {
    name: 'address threads',
    load: {
      filter: { id: /\/src\/.*\.ts$/ },
      async handler(path) {
        const code = await readFile(path, 'utf8');
        const folder = relative(root, dirname(path));
        const addressed = code.replace(threadAddress, (_, name: string) => {
          const file = `/dist/${join(folder, name)}.js`;
          return `new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/')) + '${file}')`;
        });
        return addressed === code ? undefined : { code: addressed, moduleType: 'ts' };
      },
    },
  };
}
