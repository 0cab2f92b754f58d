import { ProgramCommand } from '../src/app/program-command.ts';
import { runCompletion } from '../src/app/run-completion.ts';

export default class Completion extends ProgramCommand {
  static readonly summary = 'Print shell completion for orch, ctl and nodeagent';

  async run(): Promise<number> {
    return runCompletion(this.argv, this.io);
  }
}
