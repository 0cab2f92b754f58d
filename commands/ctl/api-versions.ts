import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlApiVersions extends ProgramCommand {
  static readonly summary = 'List the group versions that the server has';

  run(): Promise<number> {
    return runCtl(['api-versions', ...this.argv], createProcessIo());
  }
}
