import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlPatch extends ProgramCommand {
  static readonly summary = 'Change fields of an object';

  run(): Promise<number> {
    return runCtl(['patch', ...this.argv], createProcessIo());
  }
}
