import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { build } from 'rolldown';
import { codeFileOf, compileModule } from '../src/app/client/compiled-module.ts';
import { toAscii } from './ascii.ts';
import { compactData, dataFiles } from './bundled-data.ts';
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
    plugins: [
      dataFiles('', (fileName) => `import.meta.dirname + ${JSON.stringify(`/${fileName}`)}`),
      compactData,
      plugin,
    ],
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

/** Keeps the code of all functions of a file, compiled as the runtime does by default. */
async function compile(file: string): Promise<void> {
  const taken = await takeDefaultExports(file, readFileSync(file, 'utf8'));
  const text = toAscii(taken);
  writeFileSync(file, text);
  setFlagsFromString('--no-lazy');
  const script = compileModule(file, text);
  setFlagsFromString('--lazy');
  writeFileSync(codeFileOf(file), script.createCachedData());
}
