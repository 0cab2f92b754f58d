import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlExplain extends ProgramCommand {
  static readonly summary = 'Show what the fields of a resource mean';

  run(): Promise<number> {
    return runCtl(['explain', ...this.argv], createProcessIo());
  }
}
