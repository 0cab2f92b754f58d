import { type Clock, errorCode, pause } from '../../base/index.ts';
import { commandLineOf, readState, type UpPaths } from './up-state.ts';

/** How programs are ended that a killed `orch up` has left. */
export interface EndLeftoversOptions {
  readonly clock: Clock;
  /** Called with what is ended. */
  readonly report: (text: string) => void;
  /** How long a program may take to end before it is killed; by default a minute. */
  readonly timeoutMs?: number;
}

const pollMs = 50;

/** A program that a killed `orch up` has left. */
export interface Leftover {
  readonly name: string;
  readonly pid: number;
  isThere(): Promise<boolean>;
}

/** What a killed `orch up` has left, the agent first. A process that only has the number of one of them is none. */
export async function findLeftovers(paths: UpPaths): Promise<readonly Leftover[]> {
  const state = await readState(paths);
  const all = [
    leftover('node agent', state?.agentPid, ['nodeagent', `--config=${paths.agentConfig}`]),
    leftover('server', state?.serverPid, ['serve', `--data-dir=${paths.dataDirectory}`]),
  ].flat();
  const areThere = await Promise.all(all.map((each) => each.isThere()));
  return all.filter((_, index) => areThere[index]);
}

/** Numbers of processes are used again: the words of the command line tell. */
function leftover(name: string, pid: number | undefined, words: readonly string[]): Leftover[] {
  if (pid === undefined) return [];
  const isThere = async () => {
    const found = await commandLineOf(pid);
    return words.every((word) => found.includes(word));
  };
  return [{ name, pid, isThere }];
}

/**
 * Ends server and node agent of an `orch up` that was killed, the agent first, and waits for their end: they hold ports,
 * files and pods that the next ones need. Returns whether there was any.
 *
 * @throws Error with the system's code when a process may not be ended
 */
export async function endLeftovers(paths: UpPaths, options: EndLeftoversOptions): Promise<boolean> {
  const found = await findLeftovers(paths);
  for (const each of found) await endLeftover(each, options);
  return found.length > 0;
}

async function endLeftover(
  { name, pid, isThere }: Leftover,
  { clock, report, timeoutMs = 60_000 }: EndLeftoversOptions,
): Promise<void> {
  report(`ending the ${name} that a killed orch up has left, process ${pid}`);
  const lateAtMs = clock.nowMs() + timeoutMs;
  signalProcess(pid, 'SIGTERM');
  const never = new AbortController().signal;
  while (await isThere()) {
    if (clock.nowMs() > lateAtMs) signalProcess(pid, 'SIGKILL');
    await pause(clock, pollMs, never);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
