import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlVersion extends ProgramCommand {
  static readonly summary = 'Print the versions of client and server';

  run(): Promise<number> {
    return runCtl(['version', ...this.argv], createProcessIo());
  }
}
