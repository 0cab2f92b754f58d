import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlApiResources extends ProgramCommand {
  static readonly summary = 'List the resources that the server has';

  run(): Promise<number> {
    return runCtl(['api-resources', ...this.argv], createProcessIo());
  }
}
