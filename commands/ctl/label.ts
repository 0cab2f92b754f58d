import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlLabel extends ProgramCommand {
  static readonly summary = 'Change labels of objects';

  run(): Promise<number> {
    return runCtl(['label', ...this.argv], createProcessIo());
  }
}
