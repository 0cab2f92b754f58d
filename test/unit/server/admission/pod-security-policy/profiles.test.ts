import { expect } from 'chai';
import { measure } from './fixtures.ts';

const seccompPod = 'seccomp.security.alpha.orch.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.orch.io/c';
const appArmorContainer = 'container.apparmor.security.beta.orch.io/c';
const seccomp = (allowed?: string, preset?: string) => ({
  ...(allowed !== undefined && { 'seccomp.security.alpha.orch.io/allowedProfileNames': allowed }),
  ...(preset !== undefined && { 'seccomp.security.alpha.orch.io/defaultProfileName': preset }),
});
const appArmor = (allowed?: string, preset?: string) => ({
  ...(allowed !== undefined && { 'apparmor.security.beta.orch.io/allowedProfileNames': allowed }),
  ...(preset !== undefined && { 'apparmor.security.beta.orch.io/defaultProfileName': preset }),
});
const withField = (type: string, inContainer = false) => {
  const securityContext = { seccompProfile: { type } };
  const container = { name: 'c', image: 'i', resources: {} };
  return inContainer
    ? { containers: [{ ...container, securityContext }] }
    : { containers: [container], securityContext };
};

/** Annotations of policy and pod, the pod's spec, and the pod's annotations afterwards or the errors. */
type Case = readonly [what: string, policy: object, pod: object, spec: object, outcome: object | string];

const podPath = `pod.metadata.annotations[${seccompPod}]`;
const containerPath = `pod.metadata.annotations[${seccompContainer}]`;

const cases: readonly Case[] = [
  ['no seccomp is fine without a list', {}, {}, {}, {}],
  [
    'seccomp is refused without a list',
    {},
    { [seccompPod]: 'unconfined' },
    {},
    `${podPath}: Forbidden: seccomp may not be set ${containerPath}: Forbidden: seccomp may not be set`,
  ],
  ['* allows any profile', seccomp('*'), { [seccompPod]: 'unconfined' }, {}, { [seccompPod]: 'unconfined' }],
  ['* allows none', seccomp('*'), {}, {}, {}],
  ['the default is set', seccomp('*', 'runtime/default'), {}, {}, { [seccompPod]: 'runtime/default' }],
  [
    'a profile that is not listed is refused',
    seccomp('localhost/a,runtime/default'),
    { [seccompPod]: 'unconfined', [seccompContainer]: 'localhost/a' },
    {},
    `${podPath}: Forbidden: unconfined is not an allowed seccomp profile. Valid values are localhost/a,runtime/default`,
  ],
  [
    'no profile is refused where there is a list',
    seccomp('localhost/a'),
    {},
    {},
    `${podPath}: Forbidden:  is not an allowed seccomp profile. Valid values are localhost/a ${containerPath}: Forbidden:  is not an allowed seccomp profile. Valid values are localhost/a`,
  ],
  [
    'both names of the default profile are one',
    seccomp('docker/default'),
    { [seccompPod]: 'runtime/default' },
    {},
    { [seccompPod]: 'runtime/default' },
  ],
  [
    'a field of the pod is written as an annotation',
    seccomp('runtime/default', 'unconfined'),
    {},
    withField('RuntimeDefault'),
    { [seccompPod]: 'runtime/default' },
  ],
  [
    'a field of a container counts before what its pod says',
    seccomp('runtime/default', 'runtime/default'),
    {},
    withField('Unconfined', true),
    `${containerPath}: Forbidden: unconfined is not an allowed seccomp profile. Valid values are runtime/default`,
  ],
  [
    'no AppArmor is fine without a list',
    {},
    { [appArmorContainer]: 'unconfined' },
    {},
    { [appArmorContainer]: 'unconfined' },
  ],
  [
    'the default of AppArmor is set for each container',
    appArmor('runtime/default', 'runtime/default'),
    {},
    {},
    { [appArmorContainer]: 'runtime/default' },
  ],
  [
    'AppArmor must be chosen where there is a list',
    appArmor('runtime/default'),
    {},
    {},
    `pod.metadata.annotations[${appArmorContainer}]: Forbidden: AppArmor profile must be set`,
  ],
  [
    'AppArmor that is not listed is refused',
    appArmor('runtime/default,localhost/a'),
    { [appArmorContainer]: 'unconfined' },
    {},
    `pod.metadata.annotations[${appArmorContainer}]: Forbidden: unconfined is not an allowed profile. Allowed values: "runtime/default,localhost/a"`,
  ],
];

describe('the annotations of a pod security policy', () => {
  for (const [what, policyAnnotations, annotations, spec, outcome] of cases) {
    it(what, async () => {
      const measured = await measure({}, spec, { policyAnnotations, annotations });
      expect(typeof measured === 'string' ? measured : measured.annotations).to.deep.equal(outcome);
    });
  }
});
