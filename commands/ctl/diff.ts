import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlDiff extends ProgramCommand {
  static readonly summary = 'Show what applying files would change';

  run(): Promise<number> {
    return runCtl(['diff', ...this.argv], createProcessIo());
  }
}
