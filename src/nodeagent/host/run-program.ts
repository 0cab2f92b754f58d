import { execFile } from 'node:child_process';

/** How a program ended. */
export interface ProgramResult {
  /** Exit code; undefined when the program is not on this machine or could not be started. */
  readonly code: number | undefined;
  readonly output: string;
}

/** Runs a program without a shell, for at most `timeoutMs` (default 30 s), after which it is ended. Never rejects. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  timeoutMs?: number,
) => Promise<ProgramResult>;

const usualTimeoutMs = 30_000;

/** Runs programs of this machine. */
export const runProgram: RunProgram = (program, args, timeout = usualTimeoutMs) =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout, encoding: 'utf8' }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (error === null) resolve({ code: 0, output });
      else if (typeof error.code === 'number') resolve({ code: error.code, output });
      else resolve({ code: undefined, output: output === '' ? error.message : output });
    });
  });
