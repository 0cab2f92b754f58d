import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlLogs extends ProgramCommand {
  static readonly summary = 'Print what containers have written';

  run(): Promise<number> {
    return runCtl(['logs', ...this.argv], createProcessIo());
  }
}
