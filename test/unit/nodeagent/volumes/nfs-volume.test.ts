import { join } from 'node:path';
import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { MountCommands, MountRequest } from '../../../../src/nodeagent/volumes/index.ts';
import { mountOptionsOf } from '../../../../src/nodeagent/volumes/mount-options.ts';
import { mountNfsVolume } from '../../../../src/nodeagent/volumes/nfs-volume.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('mountNfsVolume', () => {
  const requests: MountRequest[] = [];
  const mount: MountCommands = {
    mount: async (request) => void requests.push(request),
    share: async () => {},
    unmount: async () => {},
    list: async () =>
      requests.map(({ target }) => ({ path: target, device: '', root: '/', fsType: 'nfs', isShared: true })),
  };
  const mountOne = async (server: string, isReadOnly: boolean, mountOptions: readonly string[]) => {
    requests.length = 0;
    await using directory = await makeTemporaryDirectory();
    const folder = join(directory.path, 'a/b');
    const options = { source: { server, path: '/export' }, folder, isReadOnly, mountOptions, mount };
    await mountNfsVolume(options);
    await mountNfsVolume(options);
    return requests.map(({ target, ...request }) => ({ ...request, isThere: target === folder }));
  };

  it('mounts once, with all options in order', async () => {
    expect(await mountOne('files.test', true, ['vers=4.1', 'hard', 'hard'])).to.deep.equal([
      {
        source: 'files.test:/export',
        fsType: 'nfs',
        options: ['hard', 'ro', 'vers=4.1'],
        isThere: true,
      },
    ]);
  });

  it('puts addresses with colons into brackets', async () => {
    expect((await mountOne('fd00::1', false, []))[0]).to.include({ source: '[fd00::1]:/export' });
  });

  it('passes no option off as a server', async () => {
    const error = await mountOne('-obind', false, []).catch((reason) => reason);
    expect(String(error)).to.include('invalid NFS server: -obind');
  });
});

describe('mountOptionsOf', () => {
  it('prefers the annotation to the specification', () => {
    const volume = {
      metadata: { creationTimestamp: null, annotations: { 'volume.beta.orch.io/mount-options': 'a,b,' } },
      spec: { mountOptions: ['c'] },
    } as never; // the rest of a persistent volume is not looked at
    expect(mountOptionsOf(volume, orchDialect)).to.deep.equal(['a', 'b']);
  });
});
