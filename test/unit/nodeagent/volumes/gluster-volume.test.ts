import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Endpoints, PersistentVolume, Volume } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createPodVolumes, type MountRequest } from '../../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { objectsOf } from './objects.ts';

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
  const mounted = (volume: Volume, spec?: PersistentVolume['spec']) => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c', uid: 'claim-uid' },
      spec: { volumeName: 'pv', resources: {} },
      status: { phase: 'Bound' as const },
    };
    const pv = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' }, status: {} };
    const volumes = createPodVolumes({
      onStale() {},
      onOperation() {},
      rootDirectory: directory.path,
      dialect: orchDialect,
      objects: objectsOf({
        endpoints: {
          'shop/servers': servers('192.0.2.1', '192.0.2.2'),
          'other/servers': servers('192.0.2.3'),
          'shop/empty': servers('-obind'),
        },
        claims: { c: claim },
        ...(spec && { volumes: { pv: { ...pv, spec: { claimRef: { uid: 'claim-uid' }, ...spec } } } }),
      }),
      clock: systemClock,
      logger: silentLogger,
      mount: {
        async mount(request) {
          const why = refusals.shift();
          if (why !== undefined) await fail(request, why);
          requests.push(request);
        },
        share: async () => {},
        unmount: async () => {},
        list: async () =>
          requests.map(({ target }) => ({
            path: target,
            device: '',
            root: '/',
            fsType: 'fuse.glusterfs',
            isShared: true,
          })),
      },
      usagePeriodMs: 0,
    });
    const pod = podOf(
      { volumes: [volume], containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })] },
      { uid: 'u', name: 'web', namespace: 'shop' },
    );
    return volumes.mount(pod, { podIps: [], hostIps: [], allocatable: {} });
  };
  const complaint = (...args: Parameters<typeof mounted>): Promise<string> =>
    mounted(...args).then(
      () => '',
      ({ events }) => events.map(({ message }: { message: string }) => message).join(),
    );
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
