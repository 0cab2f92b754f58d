import type { FileHandle } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { LineReader } from '../../../../../src/nodeagent/api/logs/line-reader.ts';

const block = 64 * 1024;
const mebibyte = 1024 * 1024;

/** A file that gives at most so many bytes at once. */
const fileOf = (content: Buffer, atOnce = block): FileHandle => {
  const read = async (into: Buffer, at: number, length: number, position: number) => {
    const part = content.subarray(position, position + Math.min(length, atOnce));
    part.copy(into, at);
    return { bytesRead: part.length, buffer: into };
  };
  return { read } as unknown as FileHandle; // all that is used of it
};

/** Lines that were taken, as text; they are valid until the next call only. */
function collect(maxCalls = Number.POSITIVE_INFINITY) {
  const lines: string[] = [];
  let calls = 0;
  const take = async (found: readonly Buffer[]) => {
    lines.push(...found.map((line) => line.toString('utf8')));
    return ++calls < maxCalls;
  };
  return { lines, take };
}

async function linesOf(text: string, atOnce = block): Promise<readonly string[]> {
  const { lines, take } = collect();
  const reader = new LineReader();
  await reader.read(fileOf(Buffer.from(text), atOnce), 0, take);
  await reader.finish(take);
  return lines;
}

describe('LineReader', () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ['no lines of an empty file', '', []],
    ['lines with their ends', 'a\nb\n', ['a\n', 'b\n']],
    ['empty lines', '\n\na\n', ['\n', '\n', 'a\n']],
    ['a last line without end', 'a\nb', ['a\n', 'b']],
    ['carriage returns as they are', 'a\r\nb\r', ['a\r\n', 'b\r']],
    ['characters of several bytes whole', 'ü🦊\nü\n', ['ü🦊\n', 'ü\n']],
    ['lines longer than a block', `${'x'.repeat(3 * block)}\ny\n`, [`${'x'.repeat(3 * block)}\n`, 'y\n']],
    ['a line that ends with a block', `${'x'.repeat(block - 1)}\ny\n`, [`${'x'.repeat(block - 1)}\n`, 'y\n']],
  ];
  for (const [title, text, lines] of cases)
    it(`reads ${title}`, async () => expect(await linesOf(text)).to.deep.equal(lines));

  it('begins where it is told, and tells where it has come to', async () => {
    const { lines, take } = collect();
    expect(await new LineReader().read(fileOf(Buffer.from('one\ntwo\nthr')), 4, take)).to.equal(11);
    expect(lines).to.deep.equal(['two\n']);
  });

  it('goes on with a line that was not whole before', async () => {
    const { lines, take } = collect();
    const reader = new LineReader();
    const position = await reader.read(fileOf(Buffer.from('one\ntw')), 0, take);
    await reader.read(fileOf(Buffer.from('one\ntwo\nthree\n')), position, take);
    await reader.finish(take);
    expect(lines).to.deep.equal(['one\n', 'two\n', 'three\n']);
  });

  it('hands a line without end on once', async () => {
    const { lines, take } = collect();
    const reader = new LineReader();
    await reader.read(fileOf(Buffer.from('one')), 0, take);
    await reader.finish(take);
    await reader.finish(take);
    expect(lines).to.deep.equal(['one']);
  });

  it('stops when nobody wants more', async () => {
    const { lines, take } = collect(2);
    expect(await new LineReader().read(fileOf(Buffer.from('a\nb\nc\nd\n'), 2), 0, take)).to.equal(4);
    expect(lines).to.deep.equal(['a\n', 'b\n']);
  });

  it('asks nobody about blocks without the end of a line', async () => {
    let calls = 0;
    await new LineReader().read(fileOf(Buffer.from('abcdef\n'), 1), 0, async () => ++calls > 0);
    expect(calls).to.equal(1);
  });

  it('takes lines of 4 MiB, and refuses longer ones instead of keeping them', async () => {
    const longest = `${'x'.repeat(4 * mebibyte)}\n`;
    expect((await linesOf(longest)).map(({ length }) => length)).to.deep.equal([longest.length]);
    const failure = await linesOf('x'.repeat(5 * mebibyte)).catch(String);
    expect(failure).to.contain('unsupported log format: a line without end');
  });

  it('reads the same lines whatever pieces the file comes in, and loses no byte', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'ü', '🦊', '\n', '\r', '\0'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (letters, atOnce) => {
          const text = letters.join('');
          const lines = await linesOf(text, atOnce);
          expect(lines).to.deep.equal(await linesOf(text));
          expect(lines.join('')).to.equal(text);
          for (const line of lines.slice(0, -1)) expect(line.indexOf('\n')).to.equal(line.length - 1);
        },
      ),
    ));
});
