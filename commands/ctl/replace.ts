import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlReplace extends ProgramCommand {
  static readonly summary = 'Replace objects by those of files';

  run(): Promise<number> {
    return runCtl(['replace', ...this.argv], createProcessIo());
  }
}
