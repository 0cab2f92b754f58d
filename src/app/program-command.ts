import { type ProgramIo, processIo } from './program-io.ts';

/**
 * Base of the command classes. It has the shape that oclif looks for (a static `run`, metadata in static fields) without
 * loading oclif, which takes longer than most commands: options are parsed by the tables in `src/config`.
 */
export abstract class ProgramCommand {
  /** oclif leaves arguments and flags to the command. */
  static readonly strict: boolean = false;
  static readonly flags = {};
  static readonly args = {};

  protected readonly argv: readonly string[];
  protected readonly io: ProgramIo;

  constructor(argv: readonly string[], io: ProgramIo = processIo()) {
    this.argv = argv;
    this.io = io;
  }

  /** Runs the command on a command line (without the command's name) and sets the process's exit code. */
  static async run<T extends ProgramCommand>(
    this: new (
      argv: readonly string[],
    ) => T,
    argv: readonly string[] = [],
  ): Promise<void> {
    process.exitCode = await new this(argv).run();
  }

  /** Does the work and returns the exit code. */
  abstract run(): Promise<number>;
}
