import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PersistentVolume, Volume } from '../../../../src/apis/types/core-v1.ts';
import type { MountRequest } from '../../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { complaintOf, mountInPod } from './mount-in-pod.ts';

/** A mount, and what the file with the key held while it was made. */
interface Seen {
  readonly request: MountRequest;
  readonly key: string | undefined;
  readonly mode: number | undefined;
}

const keyFileOf = ({ options }: MountRequest): string =>
  options?.find((option) => option.startsWith('secretfile='))?.slice('secretfile='.length) ?? '';

describe('cephfs volumes', () => {
  let directory: TemporaryDirectory;
  let seen: Seen[];
  let refusal: string | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    [seen, refusal] = [[], undefined];
  });
  afterEach(() => directory.remove());

  const look = async (request: MountRequest): Promise<Seen> => {
    const file = keyFileOf(request);
    if (!file.startsWith(directory.path)) return { request, key: undefined, mode: undefined };
    return { request, key: await readFile(file, 'utf8'), mode: (await stat(file)).mode & 0o777 };
  };
  const mounted = (volume: Volume, spec?: PersistentVolume['spec']) =>
    mountInPod({
      rootDirectory: directory.path,
      volume,
      spec,
      objects: {
        async secret(namespace, name) {
          const data = { key: Buffer.from(`key of ${namespace}\n`).toString('base64') };
          return name === 'none' ? undefined : { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data };
        },
      },
      async onMount(request) {
        seen.push(await look(request));
        if (refusal !== undefined) throw new Error(refusal);
      },
      mounted: () => (refusal === undefined ? seen : []).map(({ request: { target } }) => target),
      fsType: 'ceph',
    });
  const complaint = (...args: Parameters<typeof mounted>): Promise<string> => complaintOf(mounted(...args));
  const monitors = ['192.0.2.1:6789', '192.0.2.2'];
  const inClaim: Volume = { name: 'v', persistentVolumeClaim: { claimName: 'c' } };

  it('are mounted from all monitors, with the key in a file of root that is gone afterwards', async () => {
    const cephfs = { monitors, path: 'data', user: 'web', secretRef: { name: 's' }, readOnly: true };
    const path = (await mounted({ name: 'v', cephfs })).get('v')?.path;
    expect(path).to.equal(join(directory.path, 'pods/u/volumes/orch.io~cephfs/v'));
    const [{ request, key, mode } = {}] = seen;
    expect([request?.source, request?.target, request?.fsType]).to.deep.equal([
      '192.0.2.1:6789,192.0.2.2:/data',
      path,
      'ceph',
    ]);
    expect(request?.options?.map((option) => option.replace(/=\/.*/, '=FILE'))).to.deep.equal([
      'name=web',
      'ro',
      'secretfile=FILE',
    ]);
    expect([key, mode]).to.deep.equal(['key of shop\n', 0o600]);
    expect(await readdir(join(directory.path, 'pods/u/plugins/orch.io~cephfs'))).to.deep.equal([]);
  });

  it('take the key of the node when they name no secret', async () => {
    await mounted({ name: 'v', cephfs: { monitors } });
    expect([seen[0]?.request.source, seen[0]?.request.options]).to.deep.equal([
      '192.0.2.1:6789,192.0.2.2:/',
      ['name=admin', 'secretfile=/etc/ceph/admin.secret'],
    ]);
  });

  it('take the key from the file that they name', async () => {
    await mounted({ name: 'v', cephfs: { monitors, user: 'web', secretFile: '/etc/web.key' } });
    expect(seen[0]?.request.options).to.deep.equal(['name=web', 'secretfile=/etc/web.key']);
  });

  it('of claims take the secret, its namespace and the options that their persistent volume says', async () => {
    const cephfs = { monitors, path: '/a', secretRef: { name: 's', namespace: 'other' } };
    await mounted(inClaim, { cephfs, mountOptions: ['noatime'] });
    expect(seen[0]?.key).to.equal('key of other\n');
    expect(seen[0]?.request.options).to.include('noatime');
    expect(seen[0]?.request.target).to.equal(join(directory.path, 'pods/u/volumes/orch.io~cephfs/pv'));
  });

  it('say which secret is missing', async () => {
    expect(await complaint({ name: 'v', cephfs: { monitors, secretRef: { name: 'none' } } })).to.equal(
      'MountVolume.NewMounter initialization failed for volume "v" : Couldn\'t get secret shop/none err: secrets "none" not found',
    );
    expect(seen).to.deep.equal([]);
  });

  it('that are mounted do without their secret', async () => {
    const cephfs = { monitors, secretRef: { name: 's' } };
    await mounted({ name: 'v', cephfs });
    await mounted({ name: 'v', cephfs: { ...cephfs, secretRef: { name: 'none' } } });
    expect(seen).to.have.length(1);
  });

  it('that cannot be mounted leave neither a folder nor a key', async () => {
    refusal = 'exit status 1';
    expect(await complaint({ name: 'v', cephfs: { monitors, secretRef: { name: 's' } } })).to.equal(
      'MountVolume.SetUp failed for volume "v" : exit status 1',
    );
    expect(await readdir(join(directory.path, 'pods/u/volumes/orch.io~cephfs'))).to.deep.equal([]);
    expect(await readdir(join(directory.path, 'pods/u/plugins/orch.io~cephfs'))).to.deep.equal([]);
  });

  it('have no monitors that mount takes for an option', async () => {
    expect(await complaint({ name: 'v', cephfs: { monitors: ['-obind'] } })).to.match(
      /invalid Ceph monitors: -obind/,
    );
    expect(seen).to.deep.equal([]);
  });
});
