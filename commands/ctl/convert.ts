import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlConvert extends ProgramCommand {
  static readonly summary = 'Bring manifests to another API version';

  run(): Promise<number> {
    return runCtl(['convert', ...this.argv], createProcessIo());
  }
}
