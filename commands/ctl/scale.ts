import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlScale extends ProgramCommand {
  static readonly summary = 'Set how many replicas there are';

  run(): Promise<number> {
    return runCtl(['scale', ...this.argv], createProcessIo());
  }
}
