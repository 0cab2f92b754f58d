/**
 * Plays recordings of agents against `nodeagent`:
 *
 *     node test/replay/main.ts [--jobs=N] [--built] [--logs=FOLDER] [--case=NAME...] [--except=NAME...] DIRECTORY...
 *
 * Starts a container runtime, an API server and agents of its own. Cases are played beside one another; one that fails
 * then is played once more, alone, since others may have taken its time. Ends with a line `N passed, M failed`.
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
    case: { type: 'string', multiple: true, default: [] },
    except: { type: 'string', multiple: true, default: [] },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = (name: string): string[] =>
  values.built ? [join(root, 'bin', name)] : [process.execPath, join(root, 'src/app/main.ts'), name];

/** A case and the folder that it comes from. */
interface Case extends Recording {
  readonly directory: string;
}

const cases = (await Promise.all(positionals.map((directory) => readCases(resolve(directory))))).flat();
await using containerd = await startContainerd();
const workRoot = await shareFolder(join(containerd.folder, 'work'));
let round = 1;
const failedOnce = await playRound(cases, Number(values.jobs));
round = 2;
const failed = await playRound(failedOnce, 1);
await unshareFolder(workRoot);
console.log(`${cases.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Gives those that failed. */
async function playRound(all: readonly Case[], jobs: number): Promise<Case[]> {
  const bad: Case[] = [];
  const by = (...kinds: readonly Recording['deliver'][]): Case[] =>
    all.filter(({ deliver }) => kinds.includes(deliver));
  await playAll(by('file'), { jobs, bad }, playFiles);
  for (const one of by('url')) await playUrl(one, bad);
  await playAll(by('api', 'mirror'), { jobs, bad }, playApi);
  return bad;
}

async function playAll(
  all: readonly Case[],
  { jobs, bad }: { readonly jobs: number; readonly bad: Case[] },
  withAgent: (play: (subject: (recording: Recording) => Subject) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (all.length === 0) return;
  await withAgent(async (subjectOf) => {
    const queue = [...all];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        await play(next, subjectOf(next), bad);
    };
    await Promise.all(Array.from({ length: jobs }, work));
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

async function playUrl(recording: Case, bad: Case[]): Promise<void> {
  const url = new ManifestUrl();
  const agent = await startAgent(recording.name, [`--manifest-url=${await url.listen()}`]);
  try {
    await play(recording, urlSubject(agent, url), bad);
  } finally {
    await stopAgent(agent);
    url.close();
  }
}

async function playApi(run: (subject: (recording: Recording) => Subject) => Promise<void>): Promise<void> {
  const folder = join(containerd.folder, `api-${round}`);
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
  const folder = join(containerd.folder, 'agents', `${name}-${round}`);
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

async function play(recording: Case, subject: Subject, bad: Case[]): Promise<void> {
  const { name, directory } = recording;
  const workdir = join(workRoot, `${name}-${round}`);
  await mkdir(workdir, { recursive: true });
  const startedAtMs = Date.now();
  const problems = await playCase({ recording, subject, directory, workdir, places: {} }).catch(
    (error: unknown) => [String(error)],
  );
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  const outcome = problems.length === 0 ? 'ok   ' : round === 1 ? 'again' : 'FAIL ';
  console.log(`${outcome} ${name} (${seconds} s)`);
  if (problems.length === 0) return;
  bad.push(recording);
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

async function readCases(directory: string): Promise<Case[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).sort();
  const found = await Promise.all(
    files.map(async (file): Promise<Case[]> => {
      const name = basename(file, '.json');
      const isWanted = values.case.length === 0 || values.case.includes(name);
      if (!isWanted || values.except.includes(name)) return [];
      // The folder is the project's own or the caller's; a file without steps is no case.
      const recording = JSON.parse(await readFile(join(directory, file), 'utf8')) as Partial<Recording>;
      return recording.steps === undefined ? [] : [{ ...(recording as Recording), name, directory }];
    }),
  );
  return found.flat();
}
