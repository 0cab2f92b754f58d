import { ProgramCommand } from '../src/app/program-command.ts';
import { runStorage } from '../src/app/run-storage.ts';

export default class Storage extends ProgramCommand {
  static readonly summary = 'Look after the store: stats, check, compact, migrate';

  async run(): Promise<number> {
    return runStorage(this.argv, this.io);
  }
}
