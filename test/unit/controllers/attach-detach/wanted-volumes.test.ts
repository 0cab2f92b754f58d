import { expect } from 'chai';
import { migratedKinds } from '../../../../src/apis/csi-migration/index.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  type WantedSources,
  wantedVolumes,
} from '../../../../src/controllers/attach-detach/wanted-volumes.ts';
import { claim, driver, node, pod, sources, volume } from './objects.ts';

const place = 'a/orch.io/csi/d.example^h';
const placesOf = (pods: readonly Pod[], more: Partial<WantedSources> = {}): readonly string[] => [
  ...wantedVolumes(pods, new Map(), sources(more)).wanted.keys(),
];

describe('the volumes that are to be attached', () => {
  it('are those of drivers behind claims of pods on nodes', () => {
    const pods = [pod('p'), pod('q')];
    const { wanted } = wantedVolumes(pods, new Map(), sources());
    expect([...wanted.keys()]).to.deep.equal([place]);
    const { pods: users, ...one } = wanted.get(place) ?? { pods: [] };
    expect(users).to.deep.equal(pods);
    expect(one).to.deep.equal({
      node: 'a',
      volume: {
        ...{ key: 'orch.io/csi/d.example^h', name: 'v', isShared: false },
        source: { persistentVolumeName: 'v' },
      },
    });
  });

  it('are those of claims that are made for their pod', () => {
    expect(placesOf([pod('p', { spec: { volumes: [{ name: 'own', ephemeral: {} }] } })])).to.deep.equal([
      place,
    ]);
  });

  it('are none of pods that are on no node', () => {
    expect(placesOf([pod('p', { spec: { nodeName: undefined } })])).to.deep.equal([]);
  });

  it('are none on nodes that attach by themselves', () => {
    const own = { 'volumes.orch.io/controller-managed-attach-detach': 'false' };
    expect(placesOf([pod('p')], { node: (name) => node(name, own) })).to.deep.equal([]);
    expect(placesOf([pod('p')], { node: () => undefined })).to.deep.equal([]);
  });

  it('are none of claims and volumes that are not bound to each other', () => {
    expect(placesOf([pod('p')], { claim: () => claim({ phase: 'Pending' }) })).to.deep.equal([]);
    expect(placesOf([pod('p')], { claim: () => undefined })).to.deep.equal([]);
    expect(placesOf([pod('p')], { volume: () => undefined })).to.deep.equal([]);
    const another = volume({ claimRef: { uid: 'another' } });
    expect(placesOf([pod('p')], { volume: () => another })).to.deep.equal([]);
  });

  it('are none of drivers that need no attaching', () => {
    expect(placesOf([pod('p')], { driver: () => driver(false) })).to.deep.equal([]);
    expect(placesOf([pod('p')], { driver: () => driver(true) })).to.deep.equal([place]);
  });

  it('are none of pods that have ended, unless their node keeps them', () => {
    const ended = [
      pod('p', { status: { phase: 'Succeeded' } }),
      pod('q', { status: { phase: 'Failed' } }),
      pod('r', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        status: { containerStatuses: [{ state: { terminated: {} } }] },
      }),
    ];
    expect(placesOf(ended)).to.deep.equal([]);
    const keeping = { 'volumes.orch.io/keep-terminated-pod-volumes': 'true' };
    expect(placesOf(ended, { node: (name) => node(name, keeping) })).to.deep.equal([place]);
  });

  it('stay those of a pod that is being deleted while it runs', () => {
    const going = pod('p', {
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { containerStatuses: [{ state: { running: {} } }] },
    });
    expect(placesOf([going])).to.deep.equal([place]);
  });

  it('stay those of a pod whose claim or node goes first', () => {
    const { known } = wantedVolumes([pod('p')], new Map(), sources());
    for (const more of [{ claim: () => undefined }, { node: () => undefined }]) {
      expect([...wantedVolumes([pod('p')], known, sources(more)).wanted.keys()]).to.deep.equal([place]);
      expect(wantedVolumes([], known, sources(more)).wanted.size).to.equal(0);
    }
  });

  it('may be on several nodes at once when their modes say so, or nothing', () => {
    const isShared = (accessModes?: readonly string[]): boolean | undefined => {
      const more = { volume: () => volume({ accessModes }) };
      return wantedVolumes([pod('p')], new Map(), sources(more)).wanted.get(place)?.volume.isShared;
    };
    expect(isShared(['ReadWriteOnce', 'ReadOnlyMany'])).to.equal(true);
    expect(isShared(['ReadWriteMany'])).to.equal(true);
    expect(isShared(undefined)).to.equal(true);
    expect(isShared(['ReadWriteOnce'])).to.equal(false);
  });

  it('are those of built-in kinds that drivers serve on the node', () => {
    const disk = { awsElasticBlockStore: { volumeID: 'vol-1' } };
    const more = { migratedOn: () => migratedKinds };
    const inline = pod('p', { spec: { volumes: [{ name: 'disk', ...disk }] } });
    const { wanted } = wantedVolumes([inline], new Map(), sources(more));
    expect([...wanted.keys()]).to.deep.equal(['a/orch.io/csi/ebs.csi.aws.com^vol-1']);
    const [{ volume: described } = { volume: undefined }] = [...wanted.values()];
    expect(described?.source.inlineVolumeSpec?.csi?.volumeHandle).to.equal('vol-1');
    const claimed = { ...more, volume: () => volume({ csi: undefined, ...disk }) };
    expect(placesOf([pod('p')], claimed)).to.deep.equal(['a/orch.io/csi/ebs.csi.aws.com^vol-1']);
    expect(placesOf([inline])).to.deep.equal([]);
  });
});
