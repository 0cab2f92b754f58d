import { expect } from 'chai';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { runtimeLabelNames } from '../../../../src/nodeagent/container-config/index.ts';
import { orphanPod } from '../../../../src/nodeagent/lifecycle/orphan-pod.ts';
import type { Container } from '../../../../src/nodeagent/runtime/index.ts';

describe('orphanPod', () => {
  const dialect = createDialect('orch');
  const names = runtimeLabelNames(dialect);
  const container = (name: string, annotations: Record<string, string>): Container => ({
    id: `id-${name}`,
    podSandboxId: 's',
    metadata: { name, attempt: 0 },
    image: 'i',
    imageRef: 'i',
    state: 'running',
    createdAtMs: 0,
    labels: { [names.podName]: 'p', [names.podNamespace]: 'n', [names.podUid]: 'u' },
    annotations,
  });

  it('knows who the pod was', () => {
    const { metadata } = orphanPod([], [container('c', {})], dialect);
    expect(metadata).to.deep.equal({ name: 'p', namespace: 'n', uid: 'u' });
  });

  it('takes the longest grace that a container was made with, that of a deletion before that of the pod', () => {
    const all = [
      container('a', { [names.podTerminationGracePeriod]: '30' }),
      container('b', { [names.podTerminationGracePeriod]: '90', [names.podDeletionGracePeriod]: '5' }),
      container('c', { [names.podTerminationGracePeriod]: '-4' }),
      container('d', { [names.podTerminationGracePeriod]: 'x' }),
    ];
    expect(orphanPod([], all, dialect).spec.terminationGracePeriodSeconds).to.equal(30);
  });

  it('runs the hooks that containers were made with, and none that cannot be read', () => {
    const handler = { exec: { command: ['bye'] } };
    const all = [
      container('a', { [names.preStopHandler]: JSON.stringify(handler) }),
      container('b', { [names.preStopHandler]: '{' }),
      container('c', { [names.preStopHandler]: '[1]' }),
    ];
    const { containers } = orphanPod([], all, dialect).spec;
    expect(containers?.map(({ lifecycle }) => lifecycle)).to.deep.equal([
      { preStop: handler },
      undefined,
      undefined,
    ]);
  });
});
