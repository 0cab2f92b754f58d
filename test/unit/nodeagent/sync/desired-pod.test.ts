import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import { hashContainer, toDesiredPod } from '../../../../src/nodeagent/sync/desired-pod.ts';

const container: Container = { name: 'c', image: 'a:1', resources: {}, env: [{ name: 'A', value: '1' }] };

const podOf = (spec: Partial<Pod['spec']>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', creationTimestamp: null },
  spec: { containers: [container], ...spec },
  status: {},
});

describe('toDesiredPod', () => {
  it('takes names, policy, network and containers', () => {
    const spec = { restartPolicy: 'Never', hostNetwork: true, initContainers: [{ ...container, name: 'i' }] };
    expect(toDesiredPod(podOf(spec))).to.deep.equal({
      uid: 'u1',
      name: 'web',
      namespace: 'shop',
      restartPolicy: 'Never',
      usesHostNetwork: true,
      terminationGraceMs: 30_000,
      initContainers: [{ name: 'i', specHash: hashContainer({ ...container, name: 'i' }) }],
      containers: [{ name: 'c', specHash: hashContainer(container) }],
      ephemeralContainers: [],
    });
  });

  it('gives containers two seconds at least', () => {
    const graceOf = (seconds: number) =>
      toDesiredPod(podOf({ terminationGracePeriodSeconds: seconds })).terminationGraceMs;
    expect([0, 1, 2, 60].map(graceOf)).to.deep.equal([2000, 2000, 2000, 60_000]);
  });
});

describe('hashContainer', () => {
  it('is the same for the same fields in another order, at every depth', () => {
    const { name, image, resources } = container;
    const reordered: Container = { env: [{ value: '1', name: 'A' }], resources, image, name };
    expect(hashContainer(reordered)).to.equal(hashContainer(container));
    expect(hashContainer(container)).to.match(/^[0-9a-f]{16}$/);
  });

  it('differs when anything does, the order of lists included', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ];
    const hashes = [
      container,
      { ...container, image: 'a:2' },
      { ...container, env },
      { ...container, env: env.toReversed() },
      { ...container, command: [] },
    ].map(hashContainer);
    expect(new Set(hashes).size).to.equal(hashes.length);
  });

  it('takes a field that is undefined for one that is absent', () => {
    expect(hashContainer({ ...container, command: undefined })).to.equal(hashContainer(container));
  });
});
