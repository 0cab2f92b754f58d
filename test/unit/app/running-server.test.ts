import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { nameHolder, noteRunning } from '../../../src/app/running-server.ts';
import { errorText } from '../../../src/base/index.ts';
import { StorageError } from '../../../src/storage/index.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

describe('nameHolder', () => {
  const locked = new StorageError('locked', 'in use');
  const url = 'https://192.0.2.1:6443';
  let directory: TemporaryDirectory;
  let path: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    path = join(directory.path, 'orch.db');
  });
  afterEach(() => directory.remove());
  const messageOf = async (): Promise<string> => errorText(await nameHolder(locked, path));

  it('leaves other errors, and stores without a file, alone', async () => {
    const other = new StorageError('corrupt', 'damaged');
    expect(await nameHolder(other, path)).to.equal(other);
    expect(await nameHolder(locked, undefined)).to.equal(locked);
  });

  it('tells nothing that it does not know', async () => {
    expect(await messageOf()).to.equal('in use');
    await writeFile(path, '');
    expect(await messageOf()).to.equal('in use');
  });

  it('finds the process by its lock, without a note', async () => {
    await using _storage = await openSqliteStorage({ path, dialect: 'orch' });
    expect(await messageOf()).to.match(
      new RegExp(`^in use: program ".+", process ${process.pid}; stop it, or give another --data-dir$`),
    );
  });

  it('says where the server is that noted it', async () => {
    await using _storage = await openSqliteStorage({ path, dialect: 'orch' });
    const forget = await noteRunning(path, { pid: process.pid, url });
    expect(await messageOf()).to.include(`in use: orch serve at ${url}, process ${process.pid};`);
    await forget();
    expect(await messageOf()).not.to.include(url);
  });

  it('does not take the note of a server that was killed for that of the one that holds the lock', async () => {
    const { pid } = spawnSync('true');
    await noteRunning(path, { pid, url });
    expect(await messageOf()).to.equal('in use');
    await using _storage = await openSqliteStorage({ path, dialect: 'orch' });
    expect(await messageOf())
      .to.include(`process ${process.pid};`)
      .and.not.include(url);
  });

  for (const damage of ['', '{', '[]', '{"pid":"1","url":"x"}', '{"pid":1}']) {
    it(`takes the note ${JSON.stringify(damage)} for none`, async () => {
      await writeFile(`${path}.server`, damage);
      expect(await messageOf()).to.equal('in use');
    });
  }
});
