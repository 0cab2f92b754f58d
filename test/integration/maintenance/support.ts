import type { ProgramIo } from '../../../src/app/program-io.ts';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import type { TestServer } from '../../support/test-server.ts';

/** What a command did. */
export interface CommandRun {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
  /** Text of what it threw; empty when it did not. */
  readonly failure: string;
}

type Run = (argv: readonly string[], io: ProgramIo, signal: AbortSignal) => Promise<number>;

/** Runs commands as a user whose home is `home`. */
export function commandsAt(home: string) {
  return async (
    run: Run,
    argv: readonly string[],
    { signal = new AbortController().signal, isTerminal = false } = {},
  ): Promise<CommandRun> => {
    const [out, err]: [string[], string[]] = [[], []];
    const io: ProgramIo = {
      env: {},
      home,
      isRoot: false,
      isTerminal,
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
    };
    const said = () => ({ out: out.join(''), err: err.join('') });
    try {
      const code = await run(argv, io, signal);
      return { code, ...said(), failure: '' };
    } catch (error) {
      return { code: undefined, ...said(), failure: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Writes down how the administrator reaches a server, where `--orchconfig` finds it. */
export async function saveAccess(server: TestServer, file: string): Promise<void> {
  await saveClientConfig(file, server.server.clientConfig);
}
