import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../../src/base/index.ts';
import { rotateLogs } from '../../../../src/nodeagent/lifecycle/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('rotateLogs', () => {
  it('puts aside logs that have reached their size, and has those begun that are gone, whatever becomes of others', async () => {
    await using directory = await makeTemporaryDirectory();
    const pathOf = (id: string): string => join(directory.path, `${id}.log`);
    await writeFile(pathOf('small'), 'x'.repeat(99));
    await writeFile(pathOf('large'), 'x'.repeat(100));
    const end = new AbortController();
    const logger = createRecordingLogger();
    const reopened: string[] = [];
    const runtime = {
      listContainers: async () => [{ id: 'bad' }, { id: 'small' }, { id: 'gone' }, { id: 'large' }],
      async containerStatus(id: string) {
        if (id === 'bad') throw new Error('no answer');
        return { logPath: pathOf(id) };
      },
      async reopenContainerLog(id: string) {
        reopened.push(id);
        await writeFile(pathOf(id), '');
      },
    };
    const done = rotateLogs({
      runtime: runtime as unknown as Parameters<typeof rotateLogs>[0]['runtime'], // it reads no more of them
      maxBytes: 100,
      maxFiles: 2,
      clock: { ...systemClock, setTimer: (_, act) => systemClock.setTimer(5, act) },
      logger,
      signal: end.signal,
    });
    await eventually(async () => ((await readdir(directory.path)).length === 4 ? true : undefined));
    end.abort();
    await done;
    expect(reopened.slice(0, 2)).to.deep.equal(['gone', 'large']);
    expect(await readFile(pathOf('gone'), 'utf8')).to.equal('');
    expect(logger.lines.map(({ fields }) => fields.container)).to.include('bad');
    expect(await readFile(pathOf('small'), 'utf8')).to.have.length(99);
  });
});
