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

/**
 * Ends server and node agent of an `orch up` that was killed, the agent first, and waits for their end: they hold ports,
 * files and pods that the next ones need. A process that only has the number of one of them is left alone. Returns
 * whether there was any.
 *
 * @throws Error with the system's code when a process may not be ended
 */
export async function endLeftovers(paths: UpPaths, options: EndLeftoversOptions): Promise<boolean> {
  const state = await readState(paths);
  const isAgent = (words: readonly string[]): boolean =>
    words.includes('nodeagent') && words.includes(`--config=${paths.agentConfig}`);
  const isServer = (words: readonly string[]): boolean =>
    words.includes('serve') && words.includes(`--data-dir=${paths.dataDirectory}`);
  const hadAgent = await endLeftover('node agent', state?.agentPid, { ...options, isIt: isAgent });
  const hadServer = await endLeftover('server', state?.serverPid, { ...options, isIt: isServer });
  return hadAgent || hadServer;
}

interface EndLeftoverOptions extends EndLeftoversOptions {
  /** Whether a command line is that of the program. Numbers of processes are used again. */
  readonly isIt: (words: readonly string[]) => boolean;
}

async function endLeftover(
  name: string,
  pid: number | undefined,
  { isIt, clock, report, timeoutMs = 60_000 }: EndLeftoverOptions,
): Promise<boolean> {
  if (pid === undefined) return false;
  const isThere = async (): Promise<boolean> => isIt(await commandLineOf(pid));
  if (!(await isThere())) return false;
  report(`ending the ${name} that a killed orch up has left, process ${pid}`);
  const lateAtMs = clock.nowMs() + timeoutMs;
  signalProcess(pid, 'SIGTERM');
  const never = new AbortController().signal;
  while (await isThere()) {
    if (clock.nowMs() > lateAtMs) signalProcess(pid, 'SIGKILL');
    await pause(clock, pollMs, never);
  }
  return true;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
