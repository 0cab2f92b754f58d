import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createMountCommands, createPodVolumes } from '../../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { objectsOf } from './objects.ts';

const claimOf = (uid: string, controller: boolean | undefined): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'web-v',
    uid: 'claim-uid',
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid, controller }],
  },
  spec: { volumeName: 'pv', resources: {} },
  status: { phase: 'Bound' },
});

/** The path of the volume, or why there is none. */
async function mountWith(claim: PersistentVolumeClaim, hasGenericEphemeral = true): Promise<string> {
  await using directory = await makeTemporaryDirectory();
  const pv: PersistentVolume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv' },
    spec: { claimRef: { uid: 'claim-uid' }, hostPath: { path: directory.path } },
    status: {},
  };
  const volumes = createPodVolumes({
    onStale() {},
    onOperation() {},
    rootDirectory: directory.path,
    dialect: orchDialect,
    objects: objectsOf({ claims: { 'web-v': claim }, volumes: { pv } }),
    clock: systemClock,
    logger: silentLogger,
    mount: createMountCommands(),
    usagePeriodMs: 60_000,
    hasGenericEphemeral,
  });
  const pod = podOf({
    volumes: [{ name: 'v', ephemeral: { readOnly: true } }],
    containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
  });
  const context = { podIps: [], hostIps: [], allocatable: {} };
  const made = await volumes.mount(pod, context).then(
    (found) => found.get('v'),
    (error: Error) => error.message,
  );
  if (typeof made === 'string') return made.slice(made.lastIndexOf(']: ') + 3);
  return `${made?.path === directory.path} ${made?.isReadOnly}`;
}

describe('generic ephemeral volumes', () => {
  it('are those of the claim that the pod controls', async () => {
    expect(await mountWith(claimOf('u-1', true))).to.equal('true true');
  });

  it('are not those of a claim that has the name by chance', async () => {
    const refusal = 'error processing PVC shop/web-v: not the ephemeral PVC for the pod';
    expect(await mountWith(claimOf('other', true))).to.equal(refusal);
    expect(await mountWith(claimOf('u-1', undefined))).to.equal(refusal);
  });

  it('need the gate', async () => {
    expect(await mountWith(claimOf('u-1', true), false)).to.equal(
      'volume v is a generic ephemeral volume, but that feature is disabled in nodeagent',
    );
  });
});
