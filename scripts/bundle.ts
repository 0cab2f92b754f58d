import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { toAscii } from './ascii.ts';
import { compactData, dataFiles } from './bundled-data.ts';
import { clientIndex } from './client-modules.ts';
import { isExternal, licensesOf } from './joined-packages.ts';
import { plainHttp } from './plain-http.ts';

/** Threads begin in files of their own, which nothing imports. */
const threadAddress = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;

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
    external: isExternal,
    // Of two builds of a package the one that the bundler can take apart.
    resolve: { mainFields: ['module', 'main'] },
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    // A module may be imported at once by one that is itself loaded later.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      clientApart(root),
      plainHttp,
      dataFiles('data', builtAddress),
      compactData,
      addressThreads(root),
    ],
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
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of chunks) await writeFile(join(root, 'dist', fileName), toAscii(code));
  await writeFile(join(root, 'dist/licenses.txt'), licensesOf(chunks.flatMap(({ moduleIds }) => moduleIds)));
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

/** Code moves to other folders; the files of threads keep their places below `dist`, from which they are found. */
function addressThreads(root: string): Plugin {
  return {
    name: 'address threads',
    load: {
      filter: { id: /\/src\/.*\.ts$/ },
      async handler(path) {
        const code = await readFile(path, 'utf8');
        const folder = relative(root, dirname(path));
        const addressed = code.replace(threadAddress, (_, name: string) =>
          builtAddress(`${join(folder, name)}.js`),
        );
        return addressed === code ? undefined : { code: addressed, moduleType: 'ts' };
      },
    },
  };
}

/** Code for the URL of a file below `dist`. */
function builtAddress(file: string): string {
  return `new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/')) + ${JSON.stringify(`/dist/${file}`)})`;
}
