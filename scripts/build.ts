/**
 * Makes `dist/` from the sources: JavaScript in few files, declarations, shell completion, the manifest of commands; and the
 * man pages in `man/`. Takes a few seconds. `npm run build`; with `-- --keep-going` it makes what it can in spite of
 * type errors.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { bundleClient } from './bundle-client.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Also checks them. */
function declareTypes(): void {
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status === 0) return;
  console.error('build: the compiler found errors');
  process.exitCode = 1;
  if (!process.argv.includes('--keep-going')) process.exit();
}

async function writeManualsAndCompletion(): Promise<void> {
  const { loadPrograms } = await import('../src/app/load-programs.ts');
  const { completionShells, renderCompletion, renderManual } = await import('../src/config/index.ts');
  const { orchVersion } = await import('../src/machinery/api-release.ts');
  // Pages of commands that are gone would be installed.
  rmSync(join(root, 'man'), { recursive: true, force: true });
  mkdirSync(join(root, 'man'), { recursive: true });
  mkdirSync(join(dist, 'completions'), { recursive: true });
  for (const program of await loadPrograms()) {
    for (const { file, text } of renderManual(program, orchVersion)) {
      writeFileSync(join(root, 'man', file), text);
    }
    for (const shell of completionShells) {
      writeFileSync(join(dist, 'completions', `${program.name}.${shell}`), renderCompletion(program, shell));
    }
  }
}

/** What oclif and its plugins read instead of loading every command. */
async function writeManifest(): Promise<void> {
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  writeFileSync(join(root, 'oclif.manifest.json'), JSON.stringify(plugin.manifest));
}

declareTypes();
await bundle(root);
await bundleClient(root);
await writeManualsAndCompletion();
await writeManifest();
for (const launcher of ['bin/orch', 'bin/ctl', 'bin/nodeagent']) chmodSync(join(root, launcher), 0o755);
