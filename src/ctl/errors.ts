import { adviceLine } from '../config/index.ts';

/** A command that cannot go on; the message is ready for the user, without the `error: ` in front. */
export class CtlError extends Error {
  override readonly name = 'CtlError';
}

/** As CtlError, after output that is printed all the same: what there was, and what helps to find out why it ends. */
export class OutputError extends CtlError {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/** As CtlError, about a name that is none of those there are: the nearest of them is told in a line of its own. */
export class UnknownNameError extends CtlError {
  /** That line with the line feed before it; empty when no name is near. */
  readonly advice: string;

  constructor(message: string, name: string, names: Iterable<string>) {
    const advice = adviceLine(name, names);
    super(message + advice);
    this.advice = advice;
  }
}

/** A wrong command line: as CtlError, and the user is pointed to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command whose work is all in commands below it was given none of them: its help says which there are. */
export class NoCommandError extends UsageError {
  constructor() {
    super('a command is required');
  }
}

/** Several failures of one command, each shown on its own lines. */
export class CombinedError extends Error {
  override readonly name = 'CombinedError';
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super('several failures');
    this.errors = errors;
  }
}

/** Ends a command with an exit code of its own; the message is printed as it is, or nothing when it is empty. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: number;

  constructor(code: number, message = '') {
    super(message);
    this.code = code;
  }
}

/** Throws what was gathered of objects that were tried one after another; also one of it speaks for itself alone. */
export function throwEach(errors: readonly unknown[]): void {
  if (errors.length > 0) throw new CombinedError(errors);
}

/** Throws what was gathered: nothing, the one error, or all of them together. */
export function throwGathered(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new CombinedError(errors);
}
