import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlConfig extends ProgramCommand {
  static readonly summary = 'Show and change the client configuration';

  run(): Promise<number> {
    return runCtl(['config', ...this.argv], createProcessIo());
  }
}
