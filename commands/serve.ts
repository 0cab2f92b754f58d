import { ProgramCommand } from '../src/app/program-command.ts';
import { runServe } from '../src/app/run-serve.ts';
import { startServer } from '../src/app/start-server.ts';
import { untilStopSignal } from '../src/app/stop-signals.ts';

export default class Serve extends ProgramCommand {
  static readonly summary = 'Run the API server';

  async run(): Promise<number> {
    return runServe(this.argv, { io: this.io, start: startServer, untilStopped: untilStopSignal });
  }
}
