import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rotateLog } from '../../../../src/nodeagent/lifecycle/rotate-logs.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('rotateLog', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryDirectory>>;
  let log: string;
  let nowMs = Date.UTC(2026, 0, 1, 10, 0, 0);
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    log = join(folder.path, '0.log');
  });
  afterEach(() => folder.remove());

  const clock = { nowMs: () => nowMs, setTimer: () => () => {} };
  const rotate = (maxFiles: number, reopenContainerLog = () => writeFile(log, '')) => {
    nowMs += 1000;
    const runtime = {
      reopenContainerLog,
      listContainers: async () => [],
      containerStatus: async () => undefined,
    };
    return rotateLog('id', log, { runtime, maxFiles, clock });
  };

  it('puts the log aside under the time, and packs it at the next turn', async () => {
    await writeFile(log, 'first\n');
    await rotate(5);
    const [, first = ''] = (await readdir(folder.path)).sort();
    expect(first).to.match(/^0\.log\.20260101-1000\d\d$/);
    expect(await readFile(join(folder.path, first), 'utf8')).to.equal('first\n');
    await writeFile(log, 'second\n');
    await rotate(5);
    const names = (await readdir(folder.path)).sort();
    expect(names.slice(0, 2)).to.deep.equal(['0.log', `${first}.gz`]);
    expect(gunzipSync(await readFile(join(folder.path, `${first}.gz`))).toString()).to.equal('first\n');
    expect(names).to.have.length(3);
  });

  for (const maxFiles of [2, 3, 5]) {
    it(`keeps ${maxFiles} files, the newest ones`, async () => {
      for (let turn = 0; turn < 7; turn++) {
        await writeFile(log, `${turn}\n`);
        await rotate(maxFiles);
      }
      const names = (await readdir(folder.path)).sort();
      expect(names).to.have.length(maxFiles);
      const newest = names.at(-1) ?? '';
      expect(await readFile(join(folder.path, newest), 'utf8')).to.equal('6\n');
    });
  }

  it('leaves the log where it was when the runtime does not begin a new one', async () => {
    await writeFile(log, 'kept\n');
    const error = await rotate(5, async () => {
      throw new Error('no answer');
    }).catch((thrown: Error) => thrown);
    expect(error).to.be.an('error').with.property('message', 'no answer');
    expect(await readdir(folder.path)).to.deep.equal(['0.log']);
    expect(await readFile(log, 'utf8')).to.equal('kept\n');
  });

  it('cleans up after a packing that was interrupted', async () => {
    await writeFile(log, 'now\n');
    await writeFile(`${log}.20250101-000000`, 'old\n');
    await writeFile(`${log}.20250101-000000.tmp`, 'half');
    await writeFile(`${log}.20250101-000001`, 'packed\n');
    await writeFile(`${log}.20250101-000001.gz`, 'packed');
    await rotate(5);
    const names = await readdir(folder.path);
    expect(names).to.include('0.log.20250101-000000.gz');
    expect(names.some((name) => name.endsWith('.tmp'))).to.equal(false);
    expect(names).to.include('0.log.20250101-000001.gz');
    expect(names).to.not.include('0.log.20250101-000001');
  });
});
