import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Threads begin in files of their own, which nothing imports. */
const threadAddress = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;
/** Text is parsed faster as JSON than as code, and larger data takes less memory so. */
const leastTextOfData = 4000;

/**
 * Joins the sources into few files below `dist`: hundreds of modules take longer to load, and more memory, than what is in
 * them. What several programs share lies in `dist/chunks`; commands are loaded when they are called, as in the sources.
 * Each file has a source map beside it. @throws Error of the bundler, which has told what is wrong
 */
export async function bundle(root: string): Promise<void> {
  const sources = globSync('{src,commands}/**/*.ts', { cwd: root }).sort();
  const threads = (await Promise.all(sources.map((file) => findThreads(root, file)))).flat();
  const forOclif = sources.filter((file) => file.startsWith('commands/'));
  await build({
    absWorkingDir: root,
    entryPoints: ['src/app/main.ts', 'src/app/index.ts', ...threads, ...forOclif],
    outbase: '.',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [compactData, addressThreads(root)],
  });
}

async function findThreads(root: string, file: string): Promise<string[]> {
  const code = await readFile(join(root, file), 'utf8');
  return Array.from(code.matchAll(threadAddress), ([, name]) => `${join(dirname(file), name ?? '')}.ts`);
}

const compactData: Plugin = {
  name: 'compact data',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      if (text.length < leastTextOfData) return { contents: text, loader: 'json' };
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** Code moves to other folders; the files of threads keep their places below `dist`, from which they are found. */
function addressThreads(root: string): Plugin {
  return {
    name: 'address threads',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        const folder = relative(root, dirname(path));
        const contents = code.replace(threadAddress, (_, name: string) => {
          const file = `/dist/${join(folder, name)}.js`;
          return `new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/')) + '${file}')`;
        });
        return contents === code ? undefined : { contents, loader: 'ts' };
      });
    },
  };
}
