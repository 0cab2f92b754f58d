import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { applyKernelSettings } from '../../../../src/nodeagent/host/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const wanted: Readonly<Record<string, string>> = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};

describe('applyKernelSettings', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    for (const [name, value] of Object.entries(wanted)) await set(name, value);
  });
  afterEach(() => directory.remove());

  async function set(name: string, value: string): Promise<void> {
    const path = join(directory.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${value}\n`);
  }
  const read = async (name: string): Promise<string> =>
    (await readFile(join(directory.path, name), 'utf8')).trim();

  it('changes what has another value, and nothing else', async () => {
    await set('vm/overcommit_memory', '0');
    await set('kernel/panic', '0');
    const logger = createRecordingLogger();
    const root = directory.path;
    expect(await applyKernelSettings({ root, isProtected: false, logger })).to.deep.equal([]);
    for (const [name, value] of Object.entries(wanted)) expect(await read(name), name).to.equal(value);
    expect(logger.lines.map(({ fields }) => [fields.name, fields.former, fields.value])).to.deep.equal([
      ['vm/overcommit_memory', 0, 1],
      ['kernel/panic', 0, 10],
    ]);
  });

  it('changes nothing that is protected, and names all of it', async () => {
    await set('vm/overcommit_memory', '2');
    await set('kernel/panic_on_oops', '0');
    const logger = createRecordingLogger();
    expect(await applyKernelSettings({ root: directory.path, isProtected: true, logger })).to.deep.equal([
      'invalid kernel flag: vm/overcommit_memory, expected value: 1, actual value: 2',
      'invalid kernel flag: kernel/panic_on_oops, expected value: 1, actual value: 0',
    ]);
    expect(await read('vm/overcommit_memory')).to.equal('2');
  });

  it('bears settings that this kernel does not have', async () => {
    const root = join(directory.path, 'nothing');
    const logger = createRecordingLogger();
    expect(await applyKernelSettings({ root, isProtected: true, logger })).to.deep.equal([]);
    expect(logger.lines).to.deep.equal([]);
  });

  it('tells of settings that it may not change', async () => {
    const path = join(directory.path, 'vm/panic_on_oom');
    await rm(path);
    await symlink('/proc/sys/kernel/random/entropy_avail', path); // not even root may write it
    const logger = createRecordingLogger();
    const root = directory.path;
    expect(await applyKernelSettings({ root, isProtected: false, logger })).to.deep.equal([]);
    expect(logger.lines.map(({ message, fields }) => [message, fields.name])).to.deep.equal([
      ['sysctl update failed', 'vm/panic_on_oom'],
    ]);
  });
});
