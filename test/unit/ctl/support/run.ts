import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../../src/base/index.ts';
import { type CtlIo, runCtl } from '../../../../src/ctl/index.ts';

/** What a command printed, and its exit code. */
export interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a test's command sees beside its arguments. */
export interface RunSetting {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Home folder; by default a new one that is gone afterwards. */
  readonly home?: string;
}

/** Runs one command line in this process. */
export async function run(argv: readonly string[], setting: RunSetting = {}): Promise<RunResult> {
  const home = setting.home ?? mkdtempSync(join(tmpdir(), 'ctl-home-'));
  const printed = { out: '', err: '' };
  const output = (stream: 'out' | 'err') => ({
    isTerminal: setting.isTerminal ?? false,
    write: (text: string) => {
      printed[stream] += text;
    },
  });
  const io: CtlIo = {
    stdout: output('out'),
    stderr: output('err'),
    readStdin: () => Buffer.from(setting.stdin ?? '', 'utf8'),
    env: setting.env ?? {},
    home,
    clock: setting.clock ?? systemClock,
    signal: setting.signal ?? new AbortController().signal,
  };
  try {
    const code = await runCtl(argv, io);
    return { code, ...printed };
  } finally {
    if (setting.home === undefined) rmSync(home, { recursive: true, force: true });
  }
}
