/**
 * Plays recordings of agents against `nodeagent`: `node test/replay/main.ts DIRECTORY [--jobs=N] [--built] [--logs=FOLDER] [NAME...]`.
 * Starts a container runtime, an API server and agents of its own, and ends with a line `N passed, M failed`.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startContainerd } from '../support/containerd.ts';
import { AgentProcess } from './agent-process.ts';
import { ApiServer } from './api-server.ts';
import { playCase } from './play-case.ts';
import type { Recording } from './recording.ts';
import type { Subject } from './subject.ts';
import { apiSubject, fileSubject, ManifestUrl, urlSubject } from './subjects.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '4' },
    built: { type: 'boolean', default: false },
    logs: { type: 'string' },
  },
});
const [directory = '', ...names] = positionals;
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = (name: string): string[] =>
  values.built ? [join(root, 'bin', name)] : [process.execPath, join(root, 'src/app/main.ts'), name];

const recordings = await readRecordings(resolve(directory), names);
await using containerd = await startContainerd();
const workRoot = await shareFolder(join(containerd.folder, 'work'));
const counts = { passed: 0, failed: 0 };

await playAll(
  recordings.filter(({ deliver }) => deliver === 'file'),
  playFiles,
);
for (const recording of recordings.filter(({ deliver }) => deliver === 'url')) await playUrl(recording);
await playAll(
  recordings.filter(({ deliver }) => deliver === 'api' || deliver === 'mirror'),
  playApi,
);
await unshareFolder(workRoot);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function playAll(
  all: readonly Recording[],
  withAgent: (play: (subject: (recording: Recording) => Subject) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (all.length === 0) return;
  await withAgent(async (subjectOf) => {
    const queue = [...all];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        await play(next, subjectOf(next));
    };
    await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  });
}

async function playFiles(run: (subject: () => Subject) => Promise<void>): Promise<void> {
  const agent = await startAgent('files', []);
  try {
    await run(() => fileSubject(agent));
  } finally {
    await stopAgent(agent);
  }
}

async function playUrl(recording: Recording): Promise<void> {
  const url = new ManifestUrl();
  const agent = await startAgent(recording.name, [`--manifest-url=${await url.listen()}`]);
  try {
    await play(recording, urlSubject(agent, url));
  } finally {
    await stopAgent(agent);
    url.close();
  }
}

async function playApi(run: (subject: (recording: Recording) => Subject) => Promise<void>): Promise<void> {
  const folder = join(containerd.folder, 'api');
  await mkdir(folder, { recursive: true });
  const command = values.built
    ? [...program('orch'), 'serve']
    : program('serve').toSpliced(2, 1, 'orch', 'serve');
  const server = await ApiServer.start(command, folder);
  const token = await server.token();
  const agent = await startAgent('api-agent', [
    `--orchconfig=${server.configPath}`,
    '--event-qps=0',
    '--orch-api-qps=100',
    '--orch-api-burst=200',
    '--node-labels=disk=ssd,zone=z1',
  ]);
  try {
    await run(({ deliver }) => apiSubject(agent, { url: server.url, token }, deliver === 'mirror'));
  } finally {
    await stopAgent(agent);
    await server.stop();
  }
}

async function startAgent(name: string, flags: readonly string[]): Promise<AgentProcess> {
  const folder = join(containerd.folder, 'agents', name);
  await mkdir(folder, { recursive: true });
  const manifests = flags.some((flag) => flag.startsWith('--manifest-url'))
    ? []
    : [`--pod-manifest-path=${join(folder, 'manifests')}`];
  const agent = new AgentProcess({
    containerd,
    folder,
    command: program('nodeagent'),
    flags: [...manifests, ...flags],
  });
  await agent.start();
  if (values.logs !== undefined) await mkdir(values.logs, { recursive: true });
  return agent;
}

/** Its log is kept where `--logs` says. */
async function stopAgent(agent: AgentProcess): Promise<void> {
  await agent.stop();
  if (values.logs === undefined) return;
  await copyFile(join(agent.folder, 'agent.log'), join(values.logs, `${basename(agent.folder)}.log`));
}

async function play(recording: Recording, subject: Subject): Promise<void> {
  const workdir = join(workRoot, recording.name);
  await mkdir(workdir, { recursive: true });
  const startedAtMs = Date.now();
  const problems = await playCase({
    recording,
    subject,
    directory: resolve(directory),
    workdir,
    places: {},
  }).catch((error: unknown) => [String(error)]);
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  counts[problems.length === 0 ? 'passed' : 'failed']++;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${recording.name} (${seconds} s)`);
  for (const problem of problems) console.log(`    ${problem}`);
}

/** Mounts in the folder reach containers that ask for it. */
async function shareFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('mount', ['--bind', folder, folder]);
  await promisify(execFile)('mount', ['--make-shared', folder]);
  return folder;
}

async function unshareFolder(folder: string): Promise<void> {
  await promisify(execFile)('umount', ['--lazy', folder]);
}

async function readRecordings(folder: string, wanted: readonly string[]): Promise<Recording[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const all = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Partial<Recording>),
  );
  return all.flatMap((recording, index) => {
    const name = basename(files[index] ?? '', '.json');
    const isCase = recording.steps !== undefined && (wanted.length === 0 || wanted.includes(name));
    return isCase ? [{ ...recording, name } as Recording] : [];
  });
}
