import { interruptSignal } from '../src/app/interrupt-signal.ts';
import { ProgramCommand } from '../src/app/program-command.ts';
import { runBackup } from '../src/app/run-backup.ts';

export default class Backup extends ProgramCommand {
  static readonly summary = 'Write a backup of all objects to a file';

  async run(): Promise<number> {
    return runBackup(this.argv, this.io, interruptSignal());
  }
}
