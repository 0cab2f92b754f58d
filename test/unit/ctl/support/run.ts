import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Clock, systemClock } from '../../../../src/base/index.ts';
import { type CtlIo, runCtl, type StreamedInput } from '../../../../src/ctl/index.ts';

/** What a command printed, and its exit code. */
export interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a test's command sees beside its arguments. */
export interface RunSetting {
  readonly stdin?: string;
  /** The standard input for commands that read it while it arrives; by default that of `stdin`. */
  readonly input?: StreamedInput;
  /** Servers are not asked for their dialect unless `ORCH_DIALECT` is set to undefined. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly isTerminal?: boolean;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Sees what is printed as soon as it is. */
  readonly onPrint?: (text: string) => void;
  readonly endNow?: () => void;
  /** Home folder; by default a new one that is gone afterwards. */
  readonly home?: string;
}

/** A standard input that is no terminal. */
function pipedInput(text: string): StreamedInput {
  return {
    isTerminal: false,
    open: () => Readable.from(text === '' ? [] : [Buffer.from(text, 'utf8')]),
    setRawMode: () => {},
    size: () => undefined,
    onResize: () => () => {},
  };
}

/** Runs one command line in this process. */
export async function run(argv: readonly string[], setting: RunSetting = {}): Promise<RunResult> {
  const home = setting.home ?? mkdtempSync(join(tmpdir(), 'ctl-home-'));
  const printed = { out: '', err: '' };
  const output = (stream: 'out' | 'err') => ({
    isTerminal: setting.isTerminal ?? false,
    write: (content: string | Uint8Array) => {
      const text = typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
      printed[stream] += text;
      setting.onPrint?.(text);
    },
  });
  const io: CtlIo = {
    stdout: output('out'),
    stderr: output('err'),
    input: setting.input ?? pipedInput(setting.stdin ?? ''),
    readStdin: () => Buffer.from(setting.stdin ?? '', 'utf8'),
    env: { ORCH_DIALECT: 'orch', ...setting.env },
    home,
    clock: setting.clock ?? systemClock,
    signal: setting.signal ?? new AbortController().signal,
    ...(setting.endNow === undefined ? {} : { endNow: setting.endNow }),
  };
  try {
    const code = await runCtl(argv, io);
    return { code, ...printed };
  } finally {
    if (setting.home === undefined) rmSync(home, { recursive: true, force: true });
  }
}
