/**
 * Makes `dist/` from the sources: JavaScript and declarations, data, shell completion, the manifest of commands; and the
 * man pages in `man/`. Takes a few seconds. `npm run build`; with `-- --keep-going` it makes what it can in spite of
 * type errors.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

function compile(): void {
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

/** The compiler rewrites imports, but not the addresses of worker threads. */
function rewriteWorkerAddresses(): void {
  const address = /new URL\((['"])(\.[^'"]+)\.ts\1, import\.meta\.url\)/g;
  for (const file of globSync('**/*.js', { cwd: dist })) {
    const path = join(dist, file);
    const code = readFileSync(path, 'utf8');
    const rewritten = code.replace(address, 'new URL($1$2.js$1, import.meta.url)');
    if (rewritten !== code) writeFileSync(path, rewritten);
  }
}

/** Data that is read while a program starts: without white space it parses faster. */
function copyData(): void {
  for (const file of globSync('{src,commands}/**/*.json', { cwd: root })) {
    const target = join(dist, file);
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, JSON.stringify(JSON.parse(readFileSync(join(root, file), 'utf8'))));
  }
}

async function writeManualsAndCompletion(): Promise<void> {
  const { loadPrograms } = await import('../src/app/load-programs.ts');
  const { completionShells, renderCompletion, renderManPage } = await import('../src/config/index.ts');
  const { orchVersion } = await import('../src/app/version.ts');
  mkdirSync(join(root, 'man'), { recursive: true });
  mkdirSync(join(dist, 'completions'), { recursive: true });
  for (const program of await loadPrograms()) {
    const page = `${program.name}.${program.manualSection ?? 1}`;
    writeFileSync(join(root, 'man', page), renderManPage(program, orchVersion));
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

compile();
rewriteWorkerAddresses();
copyData();
await writeManualsAndCompletion();
await writeManifest();
for (const launcher of ['bin/orch', 'bin/ctl', 'bin/nodeagent']) chmodSync(join(root, launcher), 0o755);
