import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Endpoints, PersistentVolume, Volume } from '../../../../src/apis/types/core-v1.ts';
import type { MountRequest } from '../../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { complaintOf, mountInPod } from './mount-in-pod.ts';

const servers = (...ips: string[]): Endpoints => ({
  kind: 'Endpoints',
  apiVersion: 'v1',
  metadata: { name: 'servers' },
  subsets: [{ addresses: ips.map((ip) => ({ ip })) }, { addresses: [{ ip: ips[0] ?? '' }] }],
});

describe('glusterfs volumes', () => {
  let directory: TemporaryDirectory;
  let requests: MountRequest[];
  let refusals: string[];
  /** What the client logs before it fails. */
  let log: string | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    [requests, refusals, log] = [[], [], undefined];
  });
  afterEach(() => directory.remove());

  const fail = async ({ options }: MountRequest, why: string): Promise<never> => {
    const file = options?.find((option) => option.startsWith('log-file='))?.slice('log-file='.length);
    if (log !== undefined && file !== undefined) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, log);
    }
    throw new Error(why);
  };
  const mounted = (volume: Volume, spec?: PersistentVolume['spec']) =>
    mountInPod({
      rootDirectory: directory.path,
      volume,
      spec,
      known: {
        endpoints: {
          'shop/servers': servers('192.0.2.1', '192.0.2.2'),
          'other/servers': servers('192.0.2.3'),
          'shop/empty': servers('-obind'),
        },
      },
      async onMount(request) {
        const why = refusals.shift();
        if (why !== undefined) await fail(request, why);
        requests.push(request);
      },
      mounted: () => requests.map(({ target }) => target),
      fsType: 'fuse.glusterfs',
    });
  const complaint = (...args: Parameters<typeof mounted>): Promise<string> => complaintOf(mounted(...args));
  const inPod = (endpoints: string, readOnly = false): Volume => ({
    name: 'v',
    glusterfs: { endpoints, path: 'data', readOnly },
  });
  const inClaim: Volume = { name: 'v', persistentVolumeClaim: { claimName: 'c' } };
  const logOf = (name: string) => join(directory.path, `plugins/orch.io/glusterfs/${name}/web-glusterfs.log`);

  it('are mounted from the first address, with the others at hand', async () => {
    const path = (await mounted(inPod('servers', true))).get('v')?.path;
    expect(path).to.equal(join(directory.path, 'pods/u/volumes/orch.io~glusterfs/v'));
    expect(requests).to.deep.equal([
      {
        source: '192.0.2.1:data',
        target: path,
        fsType: 'glusterfs',
        options: [
          'auto_unmount',
          'backup-volfile-servers=192.0.2.1:192.0.2.2',
          `log-file=${logOf('v')}`,
          'log-level=ERROR',
          'ro',
        ],
      },
    ]);
  });

  it('of claims take the endpoints and the options that their persistent volume says', async () => {
    const glusterfs = { endpoints: 'servers', path: 'data', endpointsNamespace: 'other' };
    await mounted(inClaim, { glusterfs, mountOptions: ['log-level=INFO', 'log-file=/tmp/log'] });
    expect(requests.map(({ source, options }) => [source, options])).to.deep.equal([
      [
        '192.0.2.3:data',
        ['auto_unmount', 'backup-volfile-servers=192.0.2.3', 'log-file=/tmp/log', 'log-level=INFO'],
      ],
    ]);
  });

  it('are mounted by clients that do not know auto_unmount', async () => {
    refusals = ['Invalid option auto_unmount'];
    await mounted(inPod('servers'));
    expect(requests[0]?.options).to.deep.equal([
      'backup-volfile-servers=192.0.2.1:192.0.2.2',
      `log-file=${logOf('v')}`,
      'log-level=ERROR',
    ]);
  });

  it('that cannot be mounted show the end of their log, and leave no folder', async () => {
    refusals = ['exit status 1'];
    log = 'one\ntwo\nthree\n';
    expect(await complaint(inPod('servers'))).to.equal(
      'MountVolume.SetUp failed for volume "v" : mount failed: exit status 1, the following error information was pulled from the glusterfs log to help diagnose this issue: \ntwo\nthree\n',
    );
    expect(await readdir(join(directory.path, 'pods/u/volumes/orch.io~glusterfs'))).to.deep.equal([]);
  });

  it('that cannot be mounted say so when there is no log', async () => {
    refusals = ['exit status 1'];
    expect(await complaint(inPod('servers'))).to.match(/issue: could not open log file for pod web$/);
  });

  const unusable: readonly (readonly [what: string, endpoints: string, complaint: string])[] = [
    [
      'do not exist',
      'none',
      'MountVolume.NewMounter initialization failed for volume "v" : endpoints "none" not found',
    ],
    [
      'have no address',
      'empty',
      'MountVolume.SetUp failed for volume "v" : failed to execute mount command:[no valid ipaddress found in endpoint address list]',
    ],
  ];
  for (const [what, endpoints, message] of unusable) {
    it(`are refused when their endpoints ${what}`, async () => {
      expect(await complaint(inPod(endpoints))).to.equal(message);
      expect(requests).to.deep.equal([]);
    });
  }
});
