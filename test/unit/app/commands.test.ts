import { expect } from 'chai';
import { commands, findCommand } from '../../../src/app/commands.ts';
import { loadPrograms } from '../../../src/app/load-programs.ts';
import type { ProgramSpec } from '../../../src/config/index.ts';
import { verbs } from '../../../src/ctl/verbs.ts';

/** The words that call the commands below a program, without its own name. */
function wordsBelow(program: ProgramSpec, root = program.name): string[] {
  return (program.commands ?? []).flatMap((command) => [
    command.name.slice(root.length + 1),
    ...wordsBelow(command, root),
  ]);
}

describe('commands', () => {
  it('are just those that help, man page and completion describe', async () => {
    const [orch] = await loadPrograms();
    expect(Object.keys(commands).sort()).to.deep.equal(wordsBelow(orch).sort());
  });

  it('of ctl are summed up in the overview as in their own help', async () => {
    const [, ctl] = await loadPrograms();
    const summaries = Object.entries(verbs).map(([name, { summary }]) => `ctl ${name}: ${summary}`);
    expect((ctl.commands ?? []).map(({ name, summary }) => `${name}: ${summary}`)).to.deep.equal(summaries);
  });

  it('are found by most words', () => {
    const found = ['storage check --quick', 'storage chek', 'serve --v=1', 'unknown', 'constructor'].map(
      (line) => {
        const command = findCommand(line.split(' '));
        return command && [command.name, ...command.argv].join('|');
      },
    );
    expect(found).to.deep.equal([
      'storage check|--quick',
      'storage|chek',
      'serve|--v=1',
      undefined,
      undefined,
    ]);
  });
});
