import { appendFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/index.ts';
import type { LogOptions } from '../../../../src/nodeagent/api/logs/log-options.ts';
import { type ReadLogOptions, readLog } from '../../../../src/nodeagent/api/logs/read-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const whole: LogOptions = {
  follow: false,
  previous: false,
  timestamps: false,
  tailLines: undefined,
  limitBytes: undefined,
  sinceMs: undefined,
};
const at = (second: number): string => `2026-11-21T10:00:0${second}.5Z`;
const five = [1, 2, 3, 4, 5].map((n) => `${at(n)} stdout F line ${n}\n`).join('');

describe('readLog', () => {
  let directory: TemporaryDirectory;
  let path = '';

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    path = join(directory.path, '0.log');
  });
  afterEach(() => directory.remove());

  /** What a log shows; `text` grows while it is followed. */
  function read(options: Partial<LogOptions>, more: Partial<ReadLogOptions> = {}) {
    const shown = { text: '' };
    const ended = readLog({
      path,
      options: { ...whole, ...options },
      write: async (bytes) => {
        shown.text += bytes.toString('utf8');
      },
      isRunning: async () => false,
      clock: systemClock,
      signal: new AbortController().signal,
      ...more,
    });
    return { shown, ended };
  }

  async function textOf(options: Partial<LogOptions>): Promise<string> {
    const { shown, ended } = read(options);
    await ended;
    return shown.text;
  }

  const cases: readonly (readonly [what: string, options: Partial<LogOptions>, text: string])[] = [
    ['everything', {}, 'line 1\nline 2\nline 3\nline 4\nline 5\n'],
    ['the last lines', { tailLines: 2 }, 'line 4\nline 5\n'],
    ['no line', { tailLines: 0 }, ''],
    ['all lines when there are fewer', { tailLines: 50 }, 'line 1\nline 2\nline 3\nline 4\nline 5\n'],
    ['so many bytes', { limitBytes: 9 }, 'line 1\nli'],
    ['so many bytes of the last lines', { tailLines: 3, limitBytes: 9 }, 'line 3\nli'],
    ['what is not too old', { sinceMs: Date.parse(at(4)) }, 'line 4\nline 5\n'],
    ['times with nine digits', { tailLines: 1, timestamps: true }, '2026-11-21T10:00:05.500000000Z line 5\n'],
    ['times within the bound of bytes', { tailLines: 1, timestamps: true, limitBytes: 4 }, '2026'],
  ];
  for (const [what, options, text] of cases) {
    it(`shows ${what}`, async () => {
      await writeFile(path, five);
      expect(await textOf(options)).to.equal(text);
    });
  }

  it('joins lines that the runtime broke, with one time each', async () => {
    await writeFile(path, `${at(1)} stdout P one \n${at(2)} stdout F two\n${at(3)} stderr F three\n`);
    expect(await textOf({})).to.equal('one two\nthree\n');
    expect(await textOf({ timestamps: true })).to.equal(
      '2026-11-21T10:00:01.500000000Z one two\n2026-11-21T10:00:03.500000000Z three\n',
    );
  });

  it('shows a line that is still being written on top of the last ones, also of none', async () => {
    await writeFile(path, `${five}${at(6)} stdout F half`);
    expect(await textOf({ tailLines: 1 })).to.equal('line 5\nhalf');
    expect(await textOf({ tailLines: 0 })).to.equal('half');
  });

  it('reads the files of the engine', async () => {
    const lines = ['one', 'two'].map((log) =>
      JSON.stringify({ log: `${log}\n`, stream: 'stdout', time: at(1) }),
    );
    await writeFile(path, `${lines.join('\n')}\n`);
    expect(await textOf({ tailLines: 1 })).to.equal('two\n');
  });

  const problemOf = (log: string): Promise<string> =>
    read({}, { path: log }).ended.then(
      () => '',
      ({ message }: Error) => message,
    );

  it('leaves out what it cannot read, and refuses what is no log', async () => {
    await writeFile(path, `${at(1)} stdout F one\ngarbage\n${at(2)} stdout F two\n`);
    expect(await textOf({})).to.equal('one\ntwo\n');
    await writeFile(path, 'garbage\n');
    expect(await problemOf(path)).to.equal(
      'failed to get parse function: unsupported log format: "garbage\\n"',
    );
  });

  it('says which part of the way to a log is not there', async () => {
    const gone = join(directory.path, 'gone');
    const link = join(directory.path, 'link');
    await symlink('gone', link);
    for (const [log, missing] of [
      [gone, gone],
      [join(gone, 'c', '0.log'), gone],
      [link, gone],
    ] as const) {
      const start = `failed to try resolving symlinks in path "${log}"`;
      expect(await problemOf(log)).to.equal(`${start}: lstat ${missing}: no such file or directory`);
    }
  });

  it('shows the last lines of any log', async () => {
    const line = fc.integer({ min: 0, max: 40_000 }).map((length) => 'x'.repeat(length));
    const logs = fc.array(line, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(logs, fc.nat(7), async (lines, tailLines) => {
        await writeFile(path, lines.map((text) => `${at(1)} stdout F ${text}\n`).join(''));
        const wanted = tailLines === 0 ? [] : lines.slice(-tailLines);
        expect(await textOf({ tailLines })).to.equal(wanted.map((text) => `${text}\n`).join(''));
      }),
      { numRuns: 40 },
    );
  });

  it('follows a log over a rotation until its container has ended', async () => {
    await writeFile(path, `${at(1)} stdout F one\n`);
    let isRunning = true;
    const { shown, ended } = read({ follow: true }, { isRunning: async () => isRunning });
    const until = (text: string) => eventually(async () => (shown.text.endsWith(text) ? true : undefined));
    await until('one\n');
    await appendFile(path, `${at(2)} stdout F two\n${at(3)} stdout F th`);
    await until('two\n');
    await appendFile(path, 'ree\n');
    await until('three\n');
    await rename(path, `${path}.1`);
    await writeFile(path, `${at(4)} stdout F four\n`);
    await until('four\n');
    await appendFile(path, `${at(5)} stdout F five\n`);
    isRunning = false;
    await ended;
    expect(shown.text).to.equal('one\ntwo\nthree\nfour\nfive\n');
  });

  it('ends at once when nobody listens any more', async () => {
    await writeFile(path, five);
    const gone = new AbortController();
    const { shown, ended } = read({ follow: true }, { isRunning: async () => true, signal: gone.signal });
    await eventually(async () => (shown.text === '' ? undefined : true));
    gone.abort();
    await ended;
  });
});
