import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  completionShells,
  loadColours,
  type ProgramSpec,
  renderCompletion,
  renderHelp,
  renderManual,
} from '../../../src/config/index.ts';

const section = 'General';
const program: ProgramSpec = {
  name: 'sail',
  summary: 'Sail a boat',
  usage: 'COMMAND [flags]',
  description: [
    `It is a long way. ${'water '.repeat(40).trim()}.`,
    '.start is no macro, and a back\\slash stays one.',
  ],
  options: [{ name: 'help', short: 'h', type: 'bool', section, help: 'Show this help.' }],
  commands: [
    {
      name: 'sail out',
      summary: "Leave the harbour, at the captain's word",
      options: [
        { name: 'speed', type: 'int', default: 5, env: 'SAIL_SPEED', section, help: 'Knots.' },
        { name: 'mode', type: 'string', allowed: ['wind', 'motor'], section, help: "The captain's choice." },
        { name: 'dry-run', type: 'string', impliedValue: 'all', section, help: 'Stay.' },
        { name: 'secret', type: 'bool', hidden: true, section, help: 'Not shown.' },
        { name: 'later', type: 'bool', unsupported: true, section, help: 'Not shown either.' },
      ],
    },
    { name: 'sail home', summary: 'Come back', options: [] },
  ],
  examples: [{ command: 'sail out --speed=3', does: 'leave slowly' }],
};
const out = program.commands?.[0] ?? program;

describe('renderHelp', () => {
  it('lists commands with their summaries and options with defaults, variables and allowed values', () => {
    expect(renderHelp(program)).to.match(/ {2}out {3}Leave the harbour/);
    const help = renderHelp(out);
    expect(help).to.include('--speed=N\n      Knots. (default 5) [$SAIL_SPEED]');
    expect(help).to.include('One of: wind, motor.');
    expect(help).to.include('--dry-run[=TEXT]');
  });

  it('leaves out hidden and unsupported options', () => {
    expect(renderHelp(out)).not.to.match(/secret|later/);
  });

  it('keeps lines within 100 columns', () => {
    expect(
      Math.max(
        ...renderHelp(program)
          .split('\n')
          .map((line) => line.length),
      ),
    ).to.be.at.most(100);
  });
});

describe('renderHelp with a style', () => {
  it('keeps to the columns of a terminal, and paints headings and flags', async () => {
    const help = renderHelp(out, { columns: 60, colours: await loadColours({ isTerminal: true, env: {} }) });
    expect(help).to.include('\u001b[1mUsage:\u001b[22m').and.include('\u001b[36m--speed=N\u001b[39m');
    const lines = renderHelp(program, { columns: 60 }).split('\n');
    expect(
      Math.max(...lines.filter((line) => line.includes('water')).map((line) => line.length)),
    ).to.be.within(50, 60);
    expect(renderHelp(program, { columns: 1 })).to.equal(renderHelp(program, { columns: 40 }));
  });
});

describe('renderManual', () => {
  const [page = '', outPage = ''] = renderManual(program, '1.2.3').map(({ text }) => text);

  it('has the sections of a manual page', () => {
    expect(page.match(/^\.SH .*/gm)).to.deep.equal([
      '.SH NAME',
      '.SH SYNOPSIS',
      '.SH DESCRIPTION',
      '.SH COMMANDS',
      '.SH OPTIONS',
      '.SH EXAMPLES',
      '.SH EXIT STATUS',
      '.SH SEE ALSO',
    ]);
  });

  it('has a page for each command, commands of commands included, that lead to each other', () => {
    const fleet: ProgramSpec = {
      name: 'fleet',
      summary: 'Sail boats',
      options: [],
      manualSection: 8,
      commands: [
        {
          name: 'fleet move',
          summary: 'Move',
          options: [],
          commands: [{ name: 'fleet move out', summary: 'Leave', options: [], seeAlso: ['sail(1)'] }],
        },
      ],
    };
    const pages = renderManual(fleet, '1').map(({ file, text }) => [
      file,
      /^\.TH "[^"]*" "8"/.test(text),
      text.split('.SH SEE ALSO\n')[1],
    ]);
    expect(pages).to.deep.equal([
      ['fleet.8', true, 'fleet\\-move(8)\n'],
      ['fleet-move.8', true, 'fleet(8), fleet\\-move\\-out(8)\n'],
      ['fleet-move-out.8', true, 'sail(1), fleet\\-move(8)\n'],
    ]);
  });

  it('has the exit codes that the program names', () => {
    const [service] = renderManual({ ...program, exitStatus: [['255', 'all is wrong']] }, '1');
    expect(service?.text).to.include('\\fB255\\fR\nall is wrong').and.not.include('the command failed');
  });

  it('escapes what roff would take for a request', () => {
    expect(page).to.include('\\&.start is no macro, and a back\\eslash');
    expect(outPage).to.include('\\fB\\-\\-speed\\fR=\\fIN\\fR');
  });
});

describe('renderCompletion', () => {
  function completeInBash(line: string): string[] {
    const words = line.split(' ');
    const script = `${renderCompletion(program, 'bash')}
compopt() { :; }
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
_sail_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
  }

  it('completes commands and flags in bash', () => {
    expect(completeInBash('sail ')).to.deep.equal(['out', 'home', '--help']);
    expect(completeInBash('sail o')).to.deep.equal(['out']);
    expect(completeInBash('sail out --s')).to.deep.equal(['--speed=']);
    expect(completeInBash('sail --help home ')).to.deep.equal([]);
  });

  it('is valid for every shell that is installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'completion-'));
    try {
      for (const shell of completionShells) {
        for (const [index, described] of [program, { ...program, completesItself: true }].entries()) {
          // Not every shell checks its standard input.
          const file = join(folder, `${shell}-${index}`);
          writeFileSync(file, renderCompletion(described, shell));
          const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
          if (error === undefined) expect({ status, stderr }, file).to.deep.equal({ status: 0, stderr: '' });
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('makes a script that only asks, of a program that knows best what it takes', () => {
    for (const shell of completionShells) {
      const script = renderCompletion({ ...program, completesItself: true }, shell);
      expect(script).to.include('__complete').and.not.include('speed');
    }
  });

  it('names every visible flag and command for every shell', () => {
    for (const shell of completionShells) {
      const script = renderCompletion(program, shell);
      for (const word of ['out', 'home', 'speed', 'mode', 'dry-run']) expect(script).to.include(word);
      expect(script).not.to.match(/secret|later/);
    }
  });
});
