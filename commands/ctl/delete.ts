import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlDelete extends ProgramCommand {
  static readonly summary = 'Delete objects by file, name or selector';

  run(): Promise<number> {
    return runCtl(['delete', ...this.argv], createProcessIo());
  }
}
