import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { appArmorHost } from '../../../../src/nodeagent/host/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('appArmorHost', () => {
  let folder: TemporaryDirectory;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => folder.remove());

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }

  it('is enabled where the kernel says so', async () => {
    const host = appArmorHost(folder.path);
    expect(await host.isEnabled()).to.equal(false);
    await write('sys/module/apparmor/parameters/enabled', 'Y\n');
    expect(await host.isEnabled()).to.equal(true);
  });

  it('has the profiles that the kernel lists, wherever its folder is mounted', async () => {
    await write('proc/self/mounts', 'proc /proc proc rw 0 0\nsecurityfs /elsewhere securityfs rw 0 0\n');
    await write(
      'elsewhere/apparmor/profiles',
      '/usr/bin/man (enforce)\nman_filter (complain)\nwith (odd) name (kill)\n',
    );
    expect([...(await appArmorHost(folder.path).loadedProfiles())]).to.deep.equal([
      '/usr/bin/man',
      'man_filter',
      'with (odd) name',
    ]);
  });

  it('tells no profiles where that folder is not mounted', async () => {
    await write('proc/self/mounts', 'proc /proc proc rw 0 0\n');
    const failure = await appArmorHost(folder.path)
      .loadedProfiles()
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failure).to.include({ message: 'securityfs not found' });
  });
});
