import { ProgramCommand } from '../src/app/program-command.ts';
import { runVersion } from '../src/app/run-version.ts';

export default class Version extends ProgramCommand {
  static readonly summary = 'Print the version of orch, of the API that it serves and of its runtime';

  async run(): Promise<number> {
    return runVersion(this.argv, this.io);
  }
}
