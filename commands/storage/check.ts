import { interruptSignal } from '../../src/app/interrupt-signal.ts';
import { ProgramCommand } from '../../src/app/program-command.ts';
import { runStorageCheck } from '../../src/app/run-storage-check.ts';

export default class StorageCheck extends ProgramCommand {
  static readonly summary = 'Read the whole store and say whether it is sound';

  async run(): Promise<number> {
    return runStorageCheck(this.argv, this.io, interruptSignal());
  }
}
