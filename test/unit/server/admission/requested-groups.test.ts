import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../../src/registry/index.ts';
import { run, specOf, write } from './fixtures.ts';

describe('plugins, for a resource that several groups have', () => {
  /** What a request in another group than the one that stores the resource brings. */
  const inGroup = (group: string): AdmissionAttributes => {
    const object = { metadata: { name: 'i', namespace: 'default' }, spec: {} } as unknown as ApiObject;
    const requested = {
      kind: { group, version: 'v1beta1', kind: 'Ingress' },
      group,
      version: 'v1beta1',
      resource: 'ingresses',
    };
    // Of the forms they look at nothing else.
    const forms = { requested } as unknown as AdmissionAttributes['forms'];
    return write({ resourceName: 'ingresses.networking.orch.io', object, forms });
  };
  const annotations = { 'ingressclass.orch.io/is-default-class': 'true' };
  const objects = { 'networking.orch.io/ingressclasses': [{ metadata: { name: 'c', annotations } }] };

  for (const [group, expected] of [
    ['networking.orch.io', { ingressClassName: 'c' }],
    ['extensions', {}],
  ] as const) {
    it(`refuse in the group of the request: ${group}`, async () => {
      const refused = await run(inGroup(group), { plugins: ['AlwaysDeny'] });
      expect(refused?.message).to.match(new RegExp(`^ingresses\\.${group} "i" is forbidden`));
      expect(refused?.details?.group).to.equal(group);
    });

    it(`have default classes for what is written in the group networking only: ${group}`, async () => {
      const attributes = inGroup(group);
      await run(attributes, { plugins: ['DefaultIngressClass'], objects });
      expect(attributes.object && specOf(attributes.object)).to.deep.equal(expected);
    });
  }
});
