import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { rotateLogs } from '../../../../src/nodeagent/lifecycle/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('rotateLogs', () => {
  it('puts aside logs of running containers that have reached their size, and no others', async () => {
    await using directory = await makeTemporaryDirectory();
    const pathOf = (id: string): string => join(directory.path, `${id}.log`);
    await writeFile(pathOf('small'), 'x'.repeat(99));
    await writeFile(pathOf('large'), 'x'.repeat(100));
    const end = new AbortController();
    const reopened: string[] = [];
    const runtime = {
      listContainers: async () => [{ id: 'small' }, { id: 'gone' }, { id: 'large' }],
      containerStatus: async (id: string) => ({ logPath: pathOf(id) }),
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
      logger: silentLogger,
      signal: end.signal,
    });
    await eventually(async () => ((await readdir(directory.path)).length === 3 ? true : undefined));
    end.abort();
    await done;
    expect(reopened).to.deep.equal(['large']);
    expect(await readFile(pathOf('small'), 'utf8')).to.have.length(99);
  });
});
