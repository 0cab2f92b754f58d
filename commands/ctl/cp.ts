import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlCp extends ProgramCommand {
  static readonly summary = 'Copy files to and from containers';

  run(): Promise<number> {
    return runCtl(['cp', ...this.argv], createProcessIo());
  }
}
