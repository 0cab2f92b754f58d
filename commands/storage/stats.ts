import { ProgramCommand } from '../../src/app/program-command.ts';
import { runStorageStats } from '../../src/app/run-storage-stats.ts';

export default class StorageStats extends ProgramCommand {
  static readonly summary = 'Show the size and the revisions of the store';

  async run(): Promise<number> {
    return runStorageStats(this.argv, this.io);
  }
}
