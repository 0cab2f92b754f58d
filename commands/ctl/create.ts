import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlCreate extends ProgramCommand {
  static readonly summary = 'Create objects from files or flags';

  run(): Promise<number> {
    return runCtl(['create', ...this.argv], createProcessIo());
  }
}
