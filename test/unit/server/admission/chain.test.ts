import { expect } from 'chai';
import { systemClock } from '../../../../src/base/index.ts';
import plugins from '../../../../src/config/serve/admission-plugins.json' with { type: 'json' };
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../../src/registry/index.ts';
import { builtInPlugins } from '../../../../src/server/admission/built-in.ts';
import {
  type AdmissionPlugin,
  createAdmissionChain,
  onOperations,
} from '../../../../src/server/admission/index.ts';
import { EscalationCheck } from '../../../../src/server/authorization/rbac/escalation.ts';
import { pod, readerOf, run, write } from './fixtures.ts';

const read = readerOf({});
const gates = new Set<string>();

function chainOf(names: readonly string[], more: readonly AdmissionPlugin[] = []) {
  return createAdmissionChain({ plugins: names, dialect: orchDialect, gates, read, options: { more } });
}

const extendedContainer = {
  name: 'c',
  image: 'i',
  resources: { requests: { 'example.org/device': '1' }, limits: { 'example.org/device': '1' } },
};

describe('createAdmissionChain', () => {
  it('knows every plugin that the configuration may name', () => {
    const elsewhere = [
      'ImagePolicyWebhook',
      'MutatingAdmissionWebhook',
      'OwnerReferencesPermissionEnforcement',
      'PodSecurityPolicy',
      'ValidatingAdmissionWebhook',
    ];
    const more = elsewhere.map((name) => ({ name, handles: () => true }));
    const limit = { type: 'Server', qps: 1, burst: 1, cacheSize: 1 } as const;
    const options = { createNamespace: async () => {}, more, eventLimits: [limit], clock: systemClock };
    for (const name of plugins.all) {
      const make = () =>
        createAdmissionChain({ plugins: [name], dialect: orchDialect, gates, read, options });
      expect(make, name).not.to.throw();
    }
  });

  it('refuses a name that is no plugin', () => {
    expect(() => chainOf(['Nonsense'])).to.throw(RangeError, 'unknown admission plugin "Nonsense"');
    expect(() => chainOf(['constructor'])).to.throw(RangeError);
  });

  it('refuses a plugin that the server did not give what it needs', () => {
    expect(() => chainOf(['NamespaceAutoProvision'])).to.throw(RangeError, 'createNamespace');
  });

  it('runs plugins in the order of their names, also when one has to wait', async () => {
    const seen: string[] = [];
    const plugin = (name: string, waits: boolean): AdmissionPlugin => ({
      name,
      handles: onOperations('CREATE'),
      admit: () => (waits ? Promise.resolve().then(() => void seen.push(name)) : void seen.push(name)),
      validate: () => void seen.push(`${name}?`),
    });
    const chain = chainOf(['A', 'B', 'C'], [plugin('C', false), plugin('B', true), plugin('A', false)]);
    await chain.admit(write({ object: pod() }));
    await chain.validate(write({ object: pod() }));
    await chain.admit(write({ operation: 'DELETE', oldObject: pod() }));
    expect(seen).to.deep.equal(['A', 'B', 'C', 'A?', 'B?', 'C?']);
  });

  it('answers at once when no plugin waits', () => {
    const chain = chainOf(['Priority', 'DefaultTolerationSeconds']);
    expect(chain.admit(write({ object: pod() }))).to.equal(undefined);
  });

  it('takes a plugin made elsewhere in place of one that is not built', () => {
    const given: AdmissionPlugin = {
      name: 'ServiceAccount',
      handles: onOperations('CREATE'),
      admit() {
        throw new Error('asked');
      },
    };
    expect(() => chainOf(['ServiceAccount'], [given]).admit(write({ object: pod() }))).to.throw('asked');
  });

  describe('of a repeated update', () => {
    // What needs objects of other kinds, or refuses everything, has its own tests.
    const plugins = Object.keys(builtInPlugins).filter(
      (name) => !['AlwaysDeny', 'EventRateLimit'].includes(name) && !name.startsWith('Namespace'),
    );
    const specs: readonly (readonly [string, object])[] = [
      ['a plain pod', {}],
      ['a pod with its own tolerations', { tolerations: [{ operator: 'Exists' }] }],
      ['a pod with a priority', { priority: 7, preemptionPolicy: 'Never' }],
      ['a pod with extended resources', { containers: [extendedContainer] }],
    ];
    for (const name of plugins) {
      for (const [what, spec] of specs) {
        it(`changes no more of ${what} than any other: ${name}`, async () => {
          const stored = pod(spec);
          const update = (object: ApiObject, more: object = {}) =>
            run(write({ operation: 'UPDATE', object, oldObject: structuredClone(object), ...more }), {
              plugins: [name],
            });
          await update(stored);
          const [once, repeated] = [structuredClone(stored), structuredClone(stored)];
          const refusal = await update(once);
          expect(await update(repeated, { isRepeated: true })).to.deep.equal(refusal);
          expect(repeated).to.deep.equal(once);
        });
      }
    }

    it('of a pod is let through by the usual plugins without looking at it', () => {
      const unread = {
        get object(): ApiObject {
          throw new Error('somebody looked at the object');
        },
        get oldObject(): ApiObject {
          throw new Error('somebody looked at the old object');
        },
      };
      const { object: _object, oldObject: _old, ...rest } = write({ operation: 'UPDATE', isRepeated: true });
      const attributes: AdmissionAttributes = Object.defineProperties(
        { ...rest, object: undefined, oldObject: undefined },
        Object.getOwnPropertyDescriptors(unread),
      );
      const nobody = async () => ({ isAllowed: false, reason: '' });
      const rbac = { heldRules: () => ({ rules: [], missing: [] }), rulesOf: () => undefined };
      const escalation = new EscalationCheck({
        dialect: orchDialect,
        rbac,
        authorizer: { authorize: nobody },
      });
      const usual = [
        'LimitRanger',
        'TaintNodesByCondition',
        'Priority',
        'DefaultTolerationSeconds',
        'DefaultStorageClass',
        'StorageObjectInUseProtection',
        'PersistentVolumeClaimResize',
        'RuntimeClass',
        'CertificateApproval',
        'CertificateSigning',
        'CertificateSubjectRestriction',
        'DefaultIngressClass',
        EscalationCheck.pluginName,
      ];
      const chain = chainOf(usual, [escalation]);
      expect(chain.admit(attributes)).to.equal(undefined);
      expect(chain.validate(attributes)).to.equal(undefined);
    });
  });
});
