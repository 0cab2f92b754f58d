import { expect } from 'chai';
import { describe, it } from 'mocha';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { checkAppArmor } from '../../../../src/nodeagent/admission/check-apparmor.ts';
import { asking, podNamed } from './subject.ts';

const key = 'container.apparmor.security.beta.orch.io/';
const enabled = {
  isEnabled: async () => true,
  loadedProfiles: async () => new Set(['good']),
};
const unreadable = { ...enabled, loadedProfiles: () => Promise.reject(new Error('securityfs not found')) };

const cases: readonly (readonly [string, Record<string, string>, object, string | undefined])[] = [
  ['nothing of a pod without profiles', {}, { isOn: false }, undefined],
  ['nothing of a pod that wants none', { c: 'unconfined' }, { isOn: false }, undefined],
  ['the gate', { c: 'localhost/good' }, { isOn: false }, 'AppArmor disabled by feature-gate'],
  [
    'a host without it',
    { c: 'runtime/default' },
    { host: { ...enabled, isEnabled: async () => false } },
    'AppArmor is not enabled on the host',
  ],
  ['nothing of a profile that is loaded', { c: 'localhost/good' }, {}, undefined],
  ['nothing of the default profile', { c: 'runtime/default' }, {}, undefined],
  ['a profile that is not loaded', { c: 'localhost/foo' }, {}, 'profile "foo" is not loaded'],
  [
    'one of an init container',
    { i: 'localhost/foo', c: 'localhost/good' },
    {},
    'profile "foo" is not loaded',
  ],
  ['what is no profile', { c: 'foo' }, {}, 'invalid AppArmor profile name: "foo"'],
  [
    'profiles that cannot be read',
    { c: 'localhost/good' },
    { host: unreadable },
    'could not read loaded profiles: securityfs not found',
  ],
];

describe('checkAppArmor', () => {
  for (const [name, profiles, more, problem] of cases) {
    it(`tells of ${name}`, async () => {
      const pod = podNamed('p', { initContainers: [asking({}, { name: 'i' })] });
      pod.metadata.annotations = Object.fromEntries(
        Object.entries(profiles).map(([container, profile]) => [key + container, profile]),
      );
      const block = await checkAppArmor(pod, { isOn: true, host: enabled, dialect: orchDialect, ...more });
      expect(block).to.deep.equal(
        problem === undefined
          ? undefined
          : { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${problem}` },
      );
    });
  }
});
