import { interruptSignal } from '../../src/app/interrupt-signal.ts';
import { ProgramCommand } from '../../src/app/program-command.ts';
import { runStorageMigrate } from '../../src/app/run-storage-migrate.ts';

export default class StorageMigrate extends ProgramCommand {
  static readonly summary = 'Copy all objects from one store into another, empty one';

  async run(): Promise<number> {
    return runStorageMigrate(this.argv, this.io, interruptSignal());
  }
}
