import { expect } from 'chai';
import { describe, it } from 'mocha';
import { environmentReferences, podReferences } from '../../../../src/nodeagent/objects/pod-references.ts';
import { containerOf, podOf } from '../container-config/pods.ts';

const container = containerOf({
  envFrom: [{ configMapRef: { name: 'cm-all' } }, { secretRef: { name: 's-all' } }],
  env: [
    { name: 'A', valueFrom: { configMapKeyRef: { name: 'cm-key', key: 'k' } } },
    { name: 'B', valueFrom: { secretKeyRef: { name: 's-key', key: 'k' } } },
    { name: 'C', value: 'plain' },
  ],
});

describe('environmentReferences', () => {
  it('finds what variables come from', () => {
    const { configMaps, secrets } = environmentReferences(container);
    expect([[...configMaps], [...secrets]]).to.deep.equal([
      ['cm-all', 'cm-key'],
      ['s-all', 's-key'],
    ]);
  });
});

describe('podReferences', () => {
  it('finds references of all containers, volumes and registries, each once', () => {
    const pod = podOf({
      containers: [container],
      initContainers: [containerOf({ envFrom: [{ configMapRef: { name: 'cm-init' } }] })],
      imagePullSecrets: [{ name: 's-pull' }, { name: 's-all' }, {}],
      volumes: [
        { name: 'a', configMap: { name: 'cm-volume' } },
        { name: 'b', secret: { secretName: 's-volume' } },
        {
          name: 'c',
          projected: { sources: [{ configMap: { name: 'cm-part' } }, { secret: { name: 's-part' } }] },
        },
        { name: 'd', emptyDir: {} },
      ],
    });
    const { configMaps, secrets } = podReferences(pod);
    expect([...configMaps]).to.have.members(['cm-all', 'cm-key', 'cm-init', 'cm-volume', 'cm-part']);
    expect([...secrets]).to.have.members(['s-all', 's-key', 's-volume', 's-part', 's-pull']);
  });
});
