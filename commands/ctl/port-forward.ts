import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlPortForward extends ProgramCommand {
  static readonly summary = 'Lead local ports to those of a pod';

  run(): Promise<number> {
    return runCtl(['port-forward', ...this.argv], createProcessIo());
  }
}
