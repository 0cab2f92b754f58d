import { ProgramCommand } from '../src/app/program-command.ts';
import { runNodeAgent } from '../src/app/run-node-agent.ts';

export default class NodeAgent extends ProgramCommand {
  static readonly summary = 'Run the pods of one node';

  async run(): Promise<number> {
    return runNodeAgent(this.argv, this.io);
  }
}
