import { ProgramCommand } from '../src/app/program-command.ts';
import { runServe } from '../src/app/run-serve.ts';
import { untilStopSignal } from '../src/app/stop-signals.ts';

export default class Serve extends ProgramCommand {
  static readonly summary = 'Run the API server';

  async run(): Promise<number> {
    return runServe(this.argv, {
      io: this.io,
      // The server is loaded once the command line has proved right, so that help and errors come at once.
      start: async (options) => (await import('../src/app/start-server.ts')).startServer(options),
      untilStopped: untilStopSignal,
    });
  }
}
