import { runCompletion } from '../src/app/run-completion.ts';
import { ProgramCommand } from './program-command.ts';

export default class Completion extends ProgramCommand {
  static readonly summary = 'Print shell completion for orch, ctl and nodeagent';

  async run(): Promise<number> {
    return runCompletion(this.argv, this.io);
  }
}
