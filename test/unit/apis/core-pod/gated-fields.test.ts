import { expect } from 'chai';
import { configMapRules } from '../../../../src/apis/core/config-map.ts';
import { podRules } from '../../../../src/apis/core/pod.ts';
import { secretRules } from '../../../../src/apis/core/secret.ts';
import { kindRules } from '../../../../src/apis/index.ts';
import type { KindRules } from '../../../../src/apis/kind-rules.ts';
import { canonical, createErrors, makeContainerPod, makePod, updateErrors, withGates } from './rule-bench.ts';

const volume = (source: object) => makePod({ volumes: [{ name: 'v', ...source }] });
const mount = (fields: object) =>
  makeContainerPod(
    { volumeMounts: [{ name: 'v', mountPath: '/v', ...fields }] },
    { volumes: [{ name: 'v', emptyDir: {} }] },
  );
const policy = (body: object) => canonical('scheduling.orch.io/v1.PriorityClass', body);

/** Rules, a gate, an object that has a field of it, and the text that shows the field. */
type Case = readonly [gate: string, make: () => unknown, shown: string, rules?: KindRules<never> | undefined];

const pods: readonly Case[] = [
  [
    'AppArmor',
    () => makePod({}, { annotations: { 'container.apparmor.security.beta.orch.io/c': 'runtime/default' } }),
    'apparmor',
  ],
  [
    'Sysctls',
    () => makePod({ securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }] } }),
    'sysctls',
  ],
  ['LocalStorageCapacityIsolation', () => volume({ emptyDir: { sizeLimit: '1Gi' } }), 'sizeLimit'],
  ['VolumeSubpath', () => mount({ subPath: 'a' }), 'subPath'],
  ['VolumeSubpath', () => mount({ subPathExpr: 'a' }), 'subPathExpr'],
  ['RunAsGroup', () => makePod({ securityContext: { runAsGroup: 1 } }), 'runAsGroup'],
  ['RunAsGroup', () => makeContainerPod({ securityContext: { runAsGroup: 1 } }), 'runAsGroup'],
  [
    'ConfigurableFSGroupPolicy',
    () => makePod({ securityContext: { fsGroupChangePolicy: 'Always' } }),
    'fsGroupChangePolicy',
  ],
  ['PodOverhead', () => makePod({ overhead: { cpu: '1' } }), 'overhead'],
  ['NonPreemptingPriority', () => makePod({ preemptionPolicy: 'Never' }), 'preemptionPolicy'],
  ['SetHostnameAsFQDN', () => makePod({ setHostnameAsFQDN: true }), 'setHostnameAsFQDN'],
];
const others: readonly Case[] = [
  [
    'ImmutableEphemeralVolumes',
    () => canonical('v1.ConfigMap', { metadata: { name: 'x' }, immutable: true }),
    'immutable',
    configMapRules,
  ],
  [
    'ImmutableEphemeralVolumes',
    () => canonical('v1.Secret', { metadata: { name: 'x' }, immutable: true }),
    'immutable',
    secretRules,
  ],
  [
    'NonPreemptingPriority',
    () => policy({ metadata: { name: 'x' }, value: 1, preemptionPolicy: 'Never' }),
    'preemptionPolicy',
    kindRules['scheduling.orch.io/v1.PriorityClass'],
  ],
];

describe('fields of gates that can be switched off', () => {
  for (const [gate, make, shown, rules = podRules] of [...pods, ...others]) {
    it(`${shown} is dropped without ${gate}, unless the stored object has it`, () => {
      // Each case has an object of its rules.
      const checked = rules as unknown as KindRules<unknown>;
      const off = withGates({ [gate]: false });
      const [kept, dropped, changed] = [make(), make(), make()];
      createErrors(checked, kept);
      expect(JSON.stringify(kept)).to.include(shown);
      expect(createErrors(checked, dropped, off)).to.deep.equal([]);
      expect(JSON.stringify(dropped)).not.to.include(shown);
      updateErrors(checked, changed, kept, off);
      expect(JSON.stringify(changed)).to.include(shown);
    });
  }

  it('annotations that only look like those of AppArmor stay without its gate', () => {
    const annotations = { 'container.apparmor.security.beta.example.com/c': 'x' };
    const pod = makePod({}, { annotations });
    expect(createErrors(podRules, pod, withGates({ AppArmor: false }))).to.deep.equal([]);
    expect(pod.metadata.annotations).to.deep.equal(annotations);
  });

  it('inline volumes of CSI drivers are dropped without CSIInlineVolume', () => {
    const make = () => volume({ csi: { driver: 'd' } });
    expect(createErrors(podRules, make())).to.deep.equal([]);
    expect(createErrors(podRules, make(), withGates({ CSIInlineVolume: false }))).to.deep.equal([
      'spec.volumes[0]: Required value: must specify a volume type',
    ]);
  });

  it('amounts of local storage are taken without LocalStorageCapacityIsolation as well', () => {
    const pod = makeContainerPod({ resources: { limits: { 'ephemeral-storage': '1Gi' } } });
    const off = withGates({ LocalStorageCapacityIsolation: false });
    expect(createErrors(podRules, pod, off)).to.deep.equal([]);
  });

  it('the policy of a class has no default without NonPreemptingPriority', async () => {
    const { createDefaulter } = await import('../../../../src/apis/defaults/index.ts');
    const { catalog, dialect, gates } = withGates({ NonPreemptingPriority: false });
    const type = 'scheduling.orch.io/v1.PriorityClass';
    const object = catalog.type(type).decode({ metadata: { name: 'x' } });
    createDefaulter({ dialect, catalog, gates })(type, object);
    expect(object).not.to.have.property('preemptionPolicy');
  });
});
