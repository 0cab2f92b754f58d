import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlExec extends ProgramCommand {
  static readonly summary = 'Run a command in a container';

  run(): Promise<number> {
    return runCtl(['exec', ...this.argv], createProcessIo());
  }
}
