import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlApply extends ProgramCommand {
  static readonly summary = 'Bring about what files describe';

  run(): Promise<number> {
    return runCtl(['apply', ...this.argv], createProcessIo());
  }
}
