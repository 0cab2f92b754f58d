import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlAnnotate extends ProgramCommand {
  static readonly summary = 'Change annotations of objects';

  run(): Promise<number> {
    return runCtl(['annotate', ...this.argv], createProcessIo());
  }
}
