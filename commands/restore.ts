import { ProgramCommand } from '../src/app/program-command.ts';
import { runRestore } from '../src/app/run-restore.ts';

export default class Restore extends ProgramCommand {
  static readonly summary = 'Make the database of a server that is stopped from a backup';

  async run(): Promise<number> {
    return runRestore(this.argv, this.io);
  }
}
