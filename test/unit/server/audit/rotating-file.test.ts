import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RotatingFile, type RotatingFileOptions } from '../../../../src/server/audit/rotating-file.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('RotatingFile', () => {
  let directory: TemporaryDirectory;
  let path: string;
  let nowMs: number;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    path = join(directory.path, 'audit.log');
    nowMs = Date.UTC(2021, 0, 31, 10, 0, 0);
  });
  afterEach(() => directory.remove());

  const openFile = (options: Partial<RotatingFileOptions> = {}): RotatingFile =>
    new RotatingFile({
      path,
      maxBytes: 20,
      maxBackups: 0,
      maxAgeMs: 0,
      compresses: false,
      clock: { nowMs: () => nowMs, setTimer: () => () => {} },
      onTidyError(error) {
        throw error;
      },
      ...options,
    });

  it('appends to what is there, for its owner only', async () => {
    for (const line of ['a\n', 'b\n']) {
      const file = openFile();
      await file.append(line);
      await file.close();
    }
    expect(await readFile(path, 'utf8')).to.equal('a\nb\n');
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('puts a file aside that would grow too large, named after the time', async () => {
    const file = openFile();
    await Promise.all(['0123456789\n', 'a\n', '9876543210\n', 'b\n'].map((line) => file.append(line)));
    await file.close();
    expect((await readdir(directory.path)).sort()) //
      .to.deep.equal(['audit-2021-01-31T10-00-00.000.log', 'audit.log']);
    expect(await readFile(path, 'utf8')).to.equal('9876543210\nb\n');
    expect(await readFile(join(directory.path, 'audit-2021-01-31T10-00-00.000.log'), 'utf8')) //
      .to.equal('0123456789\na\n');
  });

  it('refuses what no file can hold', async () => {
    const file = openFile();
    const refused = await file.append('x'.repeat(21)).catch((error: Error) => error.message);
    expect(refused).to.equal('write length 21 exceeds maximum file size 20');
    await file.append('fits\n');
    await file.close();
    expect(await readFile(path, 'utf8')).to.equal('fits\n');
  });

  it('keeps as many older files as it may, and packs them', async () => {
    const file = openFile({ maxBackups: 2, compresses: true });
    for (let index = 0; index < 5; index++) {
      nowMs += 1000;
      await file.append(`number ${index} of many\n`);
    }
    await file.close();
    const names = (await readdir(directory.path)).sort();
    expect(names).to.deep.equal([
      'audit-2021-01-31T10-00-04.000.log.gz',
      'audit-2021-01-31T10-00-05.000.log.gz',
      'audit.log',
    ]);
    const packed = await readFile(join(directory.path, names[1] ?? ''));
    expect(gunzipSync(packed).toString()).to.equal('number 3 of many\n');
  });

  it('removes older files when their days are over, and nothing else', async () => {
    for (const name of [
      'audit-2021-01-01T10-00-00.000.log',
      'audit-2021-01-30T10-00-00.000.log',
      'audit-note.log',
    ]) {
      await writeFile(join(directory.path, name), '');
      await utimes(join(directory.path, name), 0, 0);
    }
    const file = openFile({ maxAgeMs: 7 * 86_400_000 });
    await file.append('a\n');
    await file.close();
    expect((await readdir(directory.path)).sort()) //
      .to.deep.equal(['audit-2021-01-30T10-00-00.000.log', 'audit-note.log', 'audit.log']);
  });

  it('begins another file when a program has moved it', async () => {
    const file = openFile();
    await file.append('a\n');
    await rename(path, join(directory.path, 'moved'));
    nowMs += 1000;
    await file.append('b\n');
    await file.close();
    expect(await readFile(path, 'utf8')).to.equal('b\n');
    expect(await readFile(join(directory.path, 'moved'), 'utf8')).to.equal('a\n');
  });
});
