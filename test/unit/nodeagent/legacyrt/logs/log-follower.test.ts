import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { silentLogger, systemClock } from '../../../../../src/base/index.ts';
import {
  formatEntry,
  readEngineLine,
  timeOfLine,
} from '../../../../../src/nodeagent/legacyrt/logs/convert-line.ts';
import { LogFollower } from '../../../../../src/nodeagent/legacyrt/logs/log-follower.ts';
import { LogKeeper } from '../../../../../src/nodeagent/legacyrt/logs/log-keeper.ts';
import { eventually } from '../../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../../support/temporary-directory.ts';

const common = { clock: systemClock, logger: silentLogger };
let second = 0;

/** A line as the engine writes it, later than all before. */
const line = (log: string): string => {
  const time = new Date(Date.UTC(2026, 0, 1) + ++second * 1000).toISOString();
  return `${JSON.stringify({ log, stream: 'stdout', time })}\n`;
};

describe('a line of the engine', () => {
  it('becomes one of the agent’s, with a time that can be compared', () => {
    const entry = readEngineLine('{"log":"a \\"b\\"\\n","stream":"stderr","time":"2026-01-01T00:00:01.5Z"}');
    expect(entry && formatEntry(entry)).to.equal('2026-01-01T00:00:01.500000000Z stderr F a "b"\n');
    const partial = readEngineLine('{"log":"a","stream":"stdout","time":"2026-01-01T00:00:01Z"}');
    expect(partial && formatEntry(partial)).to.equal('2026-01-01T00:00:01.000000000Z stdout P a\n');
    expect(timeOfLine('2026-01-01T00:00:01.000000000Z stdout P a')).to.equal(
      '2026-01-01T00:00:01.000000000Z',
    );
  });

  it('is left out when it is damaged', () => {
    for (const text of ['', '{"log":"a', '[]', '{"log":1,"time":"x"}', 'null']) {
      expect(readEngineLine(text)).to.equal(undefined);
    }
  });
});

describe('LogFollower', () => {
  let folder: TemporaryDirectory;
  let source: string;
  let logPath: string;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    source = join(folder.path, 'engine.log');
    logPath = join(folder.path, 'pod', 'c', '0.log');
  });
  afterEach(() => folder.remove());

  const texts = async (path = logPath): Promise<string> =>
    (await readFile(path, 'utf8').catch(() => '')).replaceAll(/^\S+ stdout /gm, '').replaceAll('\n', '|');
  const until = (text: string, path?: string) =>
    eventually(async () => ((await texts(path)) === text ? true : undefined));
  const follow = () => new LogFollower({ source, logPath, ...common });

  it('copies what is there and what comes, and ends when told to', async () => {
    await writeFile(source, line('one\n'));
    const follower = follow();
    await follower.opened;
    await until('F one|');
    const later = line('two\n');
    await appendFile(source, later.slice(0, 10));
    await appendFile(source, later.slice(10));
    await until('F one|F two|');
    await appendFile(source, line('cut') + line(' off\n'));
    await follower.finish();
    expect(await texts()).to.equal('F one|F two|P cut|F  off|');
  });

  it('waits for a file that is not there yet', async () => {
    const follower = follow();
    await follower.opened;
    await writeFile(source, line('one\n'));
    await until('F one|');
    await follower.finish();
  });

  it('goes on where another has ended, and is rotated when the engine’s file is', async () => {
    await writeFile(source, line('one\n'));
    await follow().finish();
    await appendFile(source, line('two\n'));
    await rename(source, `${source}.1`);
    await writeFile(source, line('three\n'));
    const follower = follow();
    await until('F one|F two|F three|');
    await appendFile(source, line('four\n'));
    await rename(source, `${source}.1`);
    await writeFile(source, line('five\n'));
    await until('F five|');
    expect(await texts(`${logPath}.1`)).to.equal('F one|F two|F three|F four|');
    await follower.finish();
  });

  it('goes on in a new file after the log was renamed, also as another follower', async () => {
    await writeFile(source, line('one\n'));
    const follower = follow();
    await until('F one|');
    await rename(logPath, `${logPath}.1`);
    await follower.reopen();
    await follower.abort();
    await appendFile(source, line('two\n'));
    await follow().finish();
    expect([await texts(`${logPath}.1`), await texts()]).to.deep.equal(['F one|', 'F two|']);
  });

  it('ends when the log cannot be written', async () => {
    await writeFile(join(folder.path, 'pod'), 'a file where a folder is to be');
    const follower = follow();
    await follower.opened;
    await follower.reopen();
    await follower.finish();
  });

  it('is one for each container, until that is forgotten', async () => {
    await writeFile(source, line('one\n'));
    await using keeper = new LogKeeper(common);
    const container = { id: 'c', source, logPath };
    await Promise.all([keeper.follow(container), keeper.follow(container)]);
    await Promise.all([keeper.finish(container), keeper.finish(container)]);
    expect(await texts()).to.equal('F one|');
    expect(keeper.isFollowed('c')).to.equal(true);
    expect(await keeper.reopen('c')).to.equal(false);
    await keeper.retain(new Set());
    expect(keeper.isFollowed('c')).to.equal(false);
  });
});
