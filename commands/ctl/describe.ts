import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlDescribe extends ProgramCommand {
  static readonly summary = 'Show objects in detail, with their events';

  run(): Promise<number> {
    return runCtl(['describe', ...this.argv], createProcessIo());
  }
}
