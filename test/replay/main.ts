/**
 * Plays recordings of agents against `nodeagent`:
 *
 *     node test/replay/main.ts [--jobs=N] [--built] [--logs=FOLDER] [--case=NAME...] [--except=NAME...] DIRECTORY...
 *
 * Starts container runtimes, API servers and agents of its own. Cases are played beside one another; one that fails
 * then is played once more, alone, since others may have taken its time. Ends with a line `N passed, M failed` and the
 * same by kind. An exchange of a recording of endpoints is a case of its own, `RECORDING/EXCHANGE`.
 */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startContainerd } from '../support/containerd.ts';
import { certificateLanes } from './certificates.ts';
import { endpointLanes } from './endpoints.ts';
import { type Kind, kinds, readCases } from './kinds.ts';
import { networkLanes } from './network.ts';
import { playPods } from './pods.ts';
import { registrationLanes } from './registration.ts';
import { restartLanes } from './restart.ts';
import { type Case, type Lane, Rig, runLanes } from './rig.ts';

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

/** Longest first, so that none of them is left over when the others are done. */
const lanesOf: Readonly<
  Record<Exclude<Kind, 'pods'>, (cases: readonly Case[], rig: Rig) => readonly Lane[]>
> = {
  restart: restartLanes,
  network: networkLanes,
  endpoints: endpointLanes,
  registration: registrationLanes,
  certificates: certificateLanes,
};

const found = await Promise.all(positionals.map((directory) => readCases(resolve(directory))));
const all = found.flat().filter(({ name }) => isWanted(name));
const failed = await playAll();
const passed = all.length - failed.length;
console.log(`${passed} passed, ${failed.length} failed (${kinds.flatMap(countOf).join(', ')})`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Gives those that failed twice. */
async function playAll(): Promise<readonly Case[]> {
  await using containerd = await startContainerd();
  const workRoot = await shareFolder(join(containerd.folder, 'work'));
  const common = { containerd, isBuilt: values.built, logs: values.logs };
  const first = new Rig({ ...common, jobs: Number(values.jobs), round: 1 });
  await playRound(all, first, workRoot);
  const second = new Rig({ ...common, jobs: 1, round: 2 });
  const again = new Set(first.failed);
  await playRound(
    all.filter((one) => again.has(one)),
    second,
    workRoot,
  );
  await promisify(execFile)('umount', ['--lazy', workRoot]);
  return second.failed;
}

async function playRound(
  cases: readonly (Case & { readonly kind: Kind })[],
  rig: Rig,
  workRoot: string,
): Promise<void> {
  const of = (wanted: Kind): readonly Case[] => cases.filter(({ kind }) => kind === wanted);
  await playPods(of('pods'), rig, workRoot);
  const lanes = kinds.flatMap((kind) => (kind === 'pods' ? [] : lanesOf[kind](of(kind), rig)));
  await runLanes(lanes, rig.jobs);
}

/** Whether the options ask for a case; the name of a recording is that of all its exchanges. */
function isWanted(name: string): boolean {
  const isNamed = (given: readonly string[]): boolean =>
    given.includes(name) || given.includes(name.split('/')[0] ?? '');
  return (values.case.length === 0 || isNamed(values.case)) && !isNamed(values.except);
}

function countOf(kind: Kind): readonly string[] {
  const count = (cases: readonly Case[]): number => {
    const names = new Set(cases.map(({ name }) => name));
    return all.filter((one) => one.kind === kind && names.has(one.name)).length;
  };
  const total = count(all);
  return total === 0 ? [] : [`${kind} ${total - count(failed)} of ${total}`];
}

/** Mounts in the folder reach containers that ask for it. */
async function shareFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('mount', ['--bind', folder, folder]);
  await promisify(execFile)('mount', ['--make-shared', folder]);
  return folder;
}
