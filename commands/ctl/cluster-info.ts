import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlClusterInfo extends ProgramCommand {
  static readonly summary = 'Show where the server is';

  run(): Promise<number> {
    return runCtl(['cluster-info', ...this.argv], createProcessIo());
  }
}
