import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asJsonObject, errorCode, writeFileAtomic } from '../../base/index.ts';

/** Where `orch up` keeps what it needs, below the data directory of the server. */
export interface UpPaths {
  readonly dataDirectory: string;
  readonly folder: string;
  readonly adminConfig: string;
  readonly bootstrapConfig: string;
  readonly nodeConfig: string;
  readonly agentConfig: string;
  readonly manifests: string;
  readonly authority: string;
  readonly logs: string;
  readonly state: string;
}

/** All paths for a data directory. */
export function upPaths(dataDirectory: string): UpPaths {
  const folder = join(dataDirectory, 'up');
  return {
    dataDirectory,
    folder,
    adminConfig: join(dataDirectory, 'admin.orchconfig'),
    bootstrapConfig: join(folder, 'bootstrap.orchconfig'),
    nodeConfig: join(folder, 'node.orchconfig'),
    agentConfig: join(folder, 'nodeagent.yaml'),
    manifests: join(folder, 'manifests'),
    authority: join(dataDirectory, 'pki', 'ca.crt'),
    logs: join(folder, 'logs'),
    state: join(folder, 'state.json'),
  };
}

/** What a running `orch up` says of itself. */
export interface UpState {
  readonly pid: number;
  readonly nodeName: string;
  readonly serverPid: number | undefined;
  readonly agentPid: number | undefined;
  readonly isReady: boolean;
}

/** Replaces what is written. */
export async function writeUpState({ state }: UpPaths, content: UpState): Promise<void> {
  await writeFileAtomic(state, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** Takes it away. */
export async function removeUpState({ state }: UpPaths): Promise<void> {
  await rm(state, { force: true });
}

/** The running `orch up` of a data directory; undefined when there is none, whatever an earlier one has left. */
export async function findUp(paths: UpPaths): Promise<UpState | undefined> {
  const state = await readState(paths);
  return state !== undefined && (await isUp(state.pid)) ? state : undefined;
}

/** What was written last, by whomever; undefined when there is none, or it is not whole. */
export async function readState({ state }: UpPaths): Promise<UpState | undefined> {
  try {
    const { pid, nodeName, serverPid, agentPid, isReady } = asJsonObject(
      JSON.parse(await readFile(state, 'utf8')),
    );
    if (typeof pid !== 'number' || typeof nodeName !== 'string') return undefined;
    // Small and negative numbers mean groups of processes to the system.
    const asPid = (value: unknown) => (typeof value === 'number' && value > 1 ? value : undefined);
    return {
      pid,
      nodeName,
      serverPid: asPid(serverPid),
      agentPid: asPid(agentPid),
      isReady: isReady === true,
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Numbers of processes are used again: the command line tells. */
const isUp = async (pid: number): Promise<boolean> => (await commandLineOf(pid)).includes('up');

/** Words of a process's command line; none for one that is not there, or has ended and was not waited for. */
export async function commandLineOf(pid: number): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return [];
    throw error;
  }
}
