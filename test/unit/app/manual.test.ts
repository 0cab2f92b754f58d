import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { loadPrograms } from '../../../src/app/load-programs.ts';
import { type ProgramSpec, renderManual } from '../../../src/config/index.ts';

/** A program and everything below it. */
const commandsOf = (program: ProgramSpec): ProgramSpec[] => [
  program,
  ...(program.commands ?? []).flatMap(commandsOf),
];

/** What a reader sees of a line of roff. */
const plain = (line: string): string =>
  line
    .replaceAll(/\\f[BIR]/g, '')
    .replaceAll('\\-', '-')
    .replaceAll('\\e', '\\');

/** The flags that a page explains: `-o, --output=TEXT`. */
function flagsOf(page: string): string[] {
  const lines = page.split('\n').map(plain);
  return lines.filter((line, index) => lines[index - 1] === '.TP' && /^(-\w, )?--/.test(line));
}

describe('the manual', () => {
  let programs: readonly ProgramSpec[];
  before(async () => {
    programs = await loadPrograms();
  });

  it('has a page for every command of every program, and no other', () => {
    for (const program of programs) {
      const section = program.manualSection ?? 1;
      const names = commandsOf(program).map(({ name }) => `${name.replaceAll(' ', '-')}.${section}`);
      const files = renderManual(program, '1').map(({ file }) => file);
      expect(files).to.deep.equal(names);
      expect(new Set(files).size).to.equal(files.length);
    }
    expect(commandsOf(programs[1] ?? { name: '', summary: '', options: [] }).length).to.be.above(90);
  });

  it('explains just the flags and the examples of the table that help is made of', () => {
    for (const program of programs) {
      const pages = renderManual(program, '1');
      for (const [index, { name, summary, options, examples = [] }] of commandsOf(program).entries()) {
        const text = pages[index]?.text ?? '';
        const listed = options.filter((one) => !one.hidden && !one.unsupported && !one.withoutEffect);
        const named = flagsOf(text).map((line) => /--([\w-]+)/.exec(line)?.[1]);
        expect(named.sort(), name).to.deep.equal(listed.map((option) => option.name).sort());
        expect(plain(text)).to.include(`${name.replaceAll(' ', '-')} - ${summary}`);
        for (const { command } of examples) expect(plain(text), name).to.include(`\n${command}\n`);
      }
    }
  });

  it('is roff without mistakes', function () {
    const text = programs
      .flatMap((program) => renderManual(program, '1').map((page) => page.text))
      .join('\n');
    const { error, status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-z', '-ww'], {
      input: text,
      encoding: 'utf8',
    });
    // It comes with man, which the tests are run with.
    if (error !== undefined && process.env.CI === undefined) return this.skip();
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });
});
