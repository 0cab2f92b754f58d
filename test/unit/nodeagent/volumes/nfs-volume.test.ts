import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PersistentVolume, Volume } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { MountRequest } from '../../../../src/nodeagent/volumes/index.ts';
import { mountOptionsOf } from '../../../../src/nodeagent/volumes/mount-options.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { complaintOf, mountInPod } from './mount-in-pod.ts';

describe('nfs volumes', () => {
  let directory: TemporaryDirectory;
  let requests: MountRequest[];
  let refusal: string | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    [requests, refusal] = [[], undefined];
  });
  afterEach(() => directory.remove());

  const mounted = (volume: Volume, spec?: PersistentVolume['spec']) =>
    mountInPod({
      rootDirectory: directory.path,
      volume,
      spec,
      async onMount(request) {
        if (refusal !== undefined) throw new Error(refusal);
        requests.push(request);
      },
      mounted: () => requests.map(({ target }) => target),
      fsType: 'nfs',
    });
  const inPod = (server: string): Volume => ({ name: 'v', nfs: { server, path: '/export' } });
  const kindFolder = () => join(directory.path, 'pods/u/volumes/orch.io~nfs');

  it('are mounted once, with all options in order', async () => {
    const volume: Volume = { name: 'v', persistentVolumeClaim: { claimName: 'c', readOnly: true } };
    const spec = {
      nfs: { server: 'files.test', path: '/export' },
      mountOptions: ['vers=4.1', 'hard', 'hard'],
    };
    await mounted(volume, spec);
    expect((await mounted(volume, spec)).get('v')?.path).to.equal(join(kindFolder(), 'pv'));
    expect(requests).to.deep.equal([
      {
        source: 'files.test:/export',
        target: join(kindFolder(), 'pv'),
        fsType: 'nfs',
        options: ['hard', 'ro', 'vers=4.1'],
      },
    ]);
  });

  it('have addresses with colons in brackets', async () => {
    await mounted(inPod('fd00::1'));
    expect(requests[0]).to.include({ source: '[fd00::1]:/export' });
  });

  it('pass no option off as a server', async () => {
    expect(await complaintOf(mounted(inPod('-obind')))).to.include('invalid NFS server: -obind');
    expect(requests).to.deep.equal([]);
  });

  it('that cannot be mounted leave no folder', async () => {
    refusal = 'exit status 32';
    expect(await complaintOf(mounted(inPod('files.test')))).to.equal(
      'MountVolume.SetUp failed for volume "v" : exit status 32',
    );
    expect(await readdir(kindFolder())).to.deep.equal([]);
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
