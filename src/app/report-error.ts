import { errorText } from '../base/index.ts';
import { OptionsError } from '../config/index.ts';
import { exitCodes } from './exit-codes.ts';

/** What a user reads when a program fails, and the exit code. */
export interface FailureReport {
  readonly text: string;
  readonly exitCode: number;
}

/** Turns whatever a program threw into lines that say what is wrong, without a stack. */
export function reportFailure(program: string, error: unknown): FailureReport {
  if (error instanceof OptionsError) {
    const lines = error.problems.map((problem) => `${program}: ${problem}`);
    return { text: `${[...lines, `See ${program} --help`].join('\n')}\n`, exitCode: exitCodes.usage };
  }
  return { text: `${program}: ${describeError(error)}\n`, exitCode: exitCodes.failure };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(describeError).join('; ');
  return hint(error) ?? errorText(error);
}

/** System errors that users meet, in words that say what to do. */
function hint(error: Error): string | undefined {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }; // absent on other errors
  if (code === 'EADDRINUSE')
    return `port ${port} is in use; stop the other program or give another --secure-port`;
  if (code === 'EACCES' && port !== undefined)
    return `no permission to listen on port ${port}; give another --secure-port`;
  if (code === 'EADDRNOTAVAIL')
    return 'the bind address is not one of this host; give another --bind-address';
  return undefined;
}
