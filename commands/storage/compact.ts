import { ProgramCommand } from '../../src/app/program-command.ts';
import { runStorageCompact } from '../../src/app/run-storage-compact.ts';

export default class StorageCompact extends ProgramCommand {
  static readonly summary = 'Forget the history of changes and give free room back';

  async run(): Promise<number> {
    return runStorageCompact(this.argv, this.io);
  }
}
