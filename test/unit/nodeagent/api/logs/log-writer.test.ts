import { expect } from 'chai';
import fc from 'fast-check';
import type { LogOptions } from '../../../../../src/nodeagent/api/logs/log-options.ts';
import { LogWriter } from '../../../../../src/nodeagent/api/logs/log-writer.ts';

const time = '2030-01-01T00:00:00.123456789Z';
const plain: LogOptions = {
  ...{ follow: false, previous: false, timestamps: false },
  ...{ tailLines: undefined, limitBytes: undefined, sinceMs: undefined },
};

/** What a writer makes of lines, given one at a time. */
async function written(lines: readonly string[], options: Partial<LogOptions> = {}): Promise<string> {
  const pieces: Buffer[] = [];
  const writer = new LogWriter({ ...plain, ...options }, async (bytes) => void pieces.push(bytes));
  for (const line of lines) await writer.take([Buffer.from(line)]);
  return Buffer.concat(pieces).toString('utf8');
}
const cri = (content: string, tag = 'F', at = time) => `${at} stdout ${tag} ${content}\n`;
const json = (log: string, at = time) => `${JSON.stringify({ log, stream: 'stdout', time: at })}\n`;

describe('LogWriter', () => {
  const cases: readonly [string, readonly string[], string][] = [
    ['the contents of entries', [cri('one'), cri('two')], 'one\ntwo\n'],
    ['what was written to either stream', [cri('one'), `${time} stderr F two\n`], 'one\ntwo\n'],
    ['an empty line', [cri('')], '\n'],
    ['blanks as they are', [cri('  a  b ')], '  a  b \n'],
    [
      'the parts of a long line as one',
      [cri('one ', 'P'), cri('line ', 'P'), cri('here')],
      'one line here\n',
    ],
    ['a part whose tags go on', [cri('a', 'P:x'), cri('b', 'F:x')], 'ab\n'],
    ['a last entry without end', [cri('one'), `${time} stdout F tw`], 'one\ntw'],
    ['characters of several bytes', [cri('ü🦊')], 'ü🦊\n'],
    ['entries of the engine', [json('one\n'), json('two '), json('three\n')], 'one\ntwo three\n'],
    ['control characters of the engine', [json('\u001b[1m\ta"\\\n')], '\u001b[1m\ta"\\\n'],
    [
      'no entries that are damaged',
      [cri('one'), '\n', 'x\n', `${time} stdnone F x\n`, cri('two')],
      'one\ntwo\n',
    ],
    [
      'no entries of the engine that are damaged',
      [json('one\n'), '{"log":"x"\n', '{"log":1}\n', '{"log":"x\\n"}\n', json('two\n')],
      'one\ntwo\n',
    ],
    ['nothing of another format behind the first entry', [cri('one'), json('two\n')], 'one\n'],
  ];
  for (const [title, lines, text] of cases)
    it(`writes ${title}`, async () => expect(await written(lines)).to.equal(text));

  it('refuses a log whose first line is of no format that it knows', async () => {
    for (const line of ['hello\n', '\n', '{}\n', '[]\n', '2030-01-01 stdout F x\n', `${time} stdout F\n`]) {
      const failure = await written([line]).catch(String);
      expect(failure, line).to.contain('failed to get parse function: unsupported log format: "');
    }
  });

  it('shows 200 characters of such a line, with what controls terminals made visible', async () => {
    const failure = await written([`\u001b[31m${'x'.repeat(1000)}\n`]).catch(String);
    expect(failure).to.contain('"\\x1b[31mxxx').and.not.contain('\u001b');
    expect(failure.length).to.be.below(300);
  });

  describe('with times', () => {
    const shown = (at: string) => written([cri('x', 'F', at)], { timestamps: true });

    it('puts the time before each line, with nine digits of a second', async () => {
      expect(await shown(time)).to.equal(`${time} x\n`);
      expect(await shown('2030-01-01T00:00:00Z')).to.equal('2030-01-01T00:00:00.000000000Z x\n');
      expect(await shown('2030-01-01T00:00:00.5Z')).to.equal('2030-01-01T00:00:00.500000000Z x\n');
      expect(await shown('2030-01-01T01:00:00.1+01:00')).to.equal('2030-01-01T01:00:00.100000000+01:00 x\n');
    });

    it('puts it once before a line of several parts', async () => {
      const lines = [cri('a', 'P'), cri('b'), cri('c')];
      expect(await written(lines, { timestamps: true })).to.equal(`${time} ab\n${time} c\n`);
      const parts = [json('a'), json('b\n'), json('c\n')];
      expect(await written(parts, { timestamps: true })).to.equal(`${time} ab\n${time} c\n`);
    });
  });

  it('leaves out what is older than asked for', async () => {
    const lines = [999, 1000, 1001].map((ms) => cri(String(ms), 'F', new Date(ms).toISOString()));
    expect(await written(lines, { sinceMs: 1000 })).to.equal('1000\n1001\n');
    const zoned = cri('x', 'F', '1970-01-01T01:00:01+01:00');
    expect(await written([zoned], { sinceMs: 1000 })).to.equal('x\n');
    expect(await written([zoned], { sinceMs: 1001 })).to.equal('');
  });

  describe('with a limit of bytes', () => {
    it('writes just so many, times included', async () => {
      const lines = [cri('one'), cri('two')];
      expect(await written(lines, { limitBytes: 6 })).to.equal('one\ntw');
      expect(await written(lines, { limitBytes: 8 })).to.equal('one\ntwo\n');
      expect(await written(lines, { limitBytes: 33, timestamps: true })).to.equal(`${time} on`);
    });

    it('says when it is full', async () => {
      const writer = new LogWriter({ ...plain, limitBytes: 5 }, async () => {});
      const take = (text: string) => writer.take([Buffer.from(cri(text))]);
      expect([await take('one'), writer.isFull]).to.deep.equal([true, false]);
      expect([await take('two'), writer.isFull]).to.deep.equal([false, true]);
      expect(await take('three')).to.equal(false);
    });

    it('writes the beginning of what it would write without', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom('', 'a', 'two words', 'ü'), fc.constantFrom('F', 'P')), {
            maxLength: 6,
          }),
          fc.integer({ min: 1, max: 80 }),
          fc.boolean(),
          async (entries, limitBytes, timestamps) => {
            const lines = entries.map(([content, tag]) => cri(content, tag));
            const whole = Buffer.from(await written(lines, { timestamps }));
            const cut = await written(lines, { timestamps, limitBytes });
            expect(cut).to.equal(whole.subarray(0, limitBytes).toString('utf8'));
          },
        ),
      ));
  });

  it('writes the lines of one call at once', async () => {
    const pieces: string[] = [];
    const writer = new LogWriter(plain, async (bytes) => void pieces.push(bytes.toString('utf8')));
    await writer.take(['a', 'b', 'c'].map((text) => Buffer.from(cri(text))));
    await writer.take([Buffer.from('damaged\n')]);
    expect(pieces).to.deep.equal(['a\nb\nc\n']);
  });
});
