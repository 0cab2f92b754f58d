import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlEdit extends ProgramCommand {
  static readonly summary = 'Edit objects in an editor';

  run(): Promise<number> {
    return runCtl(['edit', ...this.argv], createProcessIo());
  }
}
