import { ProgramCommand } from '../../src/app/program-command.ts';
import { createProcessIo, runCtl } from '../../src/ctl/index.ts';

export default class CtlAttach extends ProgramCommand {
  static readonly summary = 'Join the streams of a process that a container runs';

  run(): Promise<number> {
    return runCtl(['attach', ...this.argv], createProcessIo());
  }
}
