import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlGet extends ProgramCommand {
  static readonly summary = 'Show one or many resources';

  run(): Promise<number> {
    return runCtl(['get', ...this.argv], createProcessIo());
  }
}
