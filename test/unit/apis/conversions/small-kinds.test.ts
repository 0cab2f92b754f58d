import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { versionConversions } from '../../../../src/apis/conversions/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { conversionOf } from './fixture.ts';

describe('role bindings of v1alpha1', () => {
  const rbac = 'rbac.authorization.orch.io';
  const conversion = conversionOf(`${rbac}/v1alpha1.RoleBinding`, `${rbac}/v1.RoleBinding`);
  const roleRef = { apiGroup: rbac, kind: 'Role', name: 'r' };
  const binding = (subject: object) => ({ metadata: { name: 'b' }, subjects: [subject], roleRef });

  const cases: [name: string, served: object, stored: object, servedAgain?: object][] = [
    [
      'a service account',
      { kind: 'ServiceAccount', apiVersion: 'v1', name: 's', namespace: 'n' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ],
    [
      'a user',
      { kind: 'User', apiVersion: `${rbac}/v1alpha1`, name: 'u' },
      { kind: 'User', apiGroup: rbac, name: 'u' },
    ],
    [
      'a group without a version',
      { kind: 'Group', name: 'g' },
      { kind: 'Group', apiGroup: rbac, name: 'g' },
      { kind: 'Group', apiVersion: `${rbac}/v1alpha1`, name: 'g' },
    ],
    [
      'the user * that means everybody who is known',
      { kind: 'User', name: '*' },
      { kind: 'Group', apiGroup: rbac, name: 'system:authenticated' },
      { kind: 'Group', apiVersion: `${rbac}/v1alpha1`, name: 'system:authenticated' },
    ],
    [
      'another kind',
      { kind: 'Robot', apiVersion: 'example.com/v3', name: 'x' },
      { kind: 'Robot', apiGroup: 'example.com', name: 'x' },
      { kind: 'Robot', apiVersion: 'example.com/', name: 'x' },
    ],
    [
      'another kind with a version that is none',
      { kind: 'Robot', apiVersion: 'a/b/c', name: 'x' },
      { kind: 'Robot', name: 'x' },
      { kind: 'Robot', name: 'x' },
    ],
  ];
  for (const [name, served, stored, servedAgain = served] of cases) {
    it(`store ${name} by group and show it by version`, () => {
      const kept = conversion.toStored(binding(served));
      expect(kept.subjects).to.deep.equal([stored]);
      expect(conversion.toServed(kept).subjects).to.deep.equal([servedAgain]);
    });
  }

  it('may have no subjects', () => {
    const kept = conversion.toStored({ metadata: { name: 'b' }, roleRef });
    expect(kept).not.to.have.property('subjects');
    expect(conversion.toServed(kept).roleRef).to.deep.equal(roleRef);
  });
});

describe('runtime classes of v1alpha1', () => {
  const conversion = conversionOf('node.orch.io/v1alpha1.RuntimeClass', 'node.orch.io/v1.RuntimeClass');
  const overhead = { podFixed: { cpu: '100m' } };
  const scheduling = { nodeSelector: { a: 'b' } };

  it('keep at the top what they have in their spec', () => {
    const served = { metadata: { name: 'r' }, spec: { runtimeHandler: 'h', overhead, scheduling } };
    const kept = conversion.toStored(served);
    expect(kept).to.deep.include({ handler: 'h', overhead, scheduling });
    expect(kept).not.to.have.property('spec');
    expect(conversion.toServed(kept)).to.deep.equal(conversion.decode(served));
  });
});

describe('events of the events group', () => {
  const group = 'events.orch.io/v1.Event';
  const conversion = conversionOf(group, 'v1.Event');

  it('keep fields under the names of the core group', () => {
    const served = {
      metadata: { name: 'e' },
      regarding: { kind: 'Pod', name: 'p' },
      note: 'n',
      reportingController: 'c',
      reportingInstance: 'i',
      deprecatedCount: 3,
      deprecatedSource: { component: 's' },
      deprecatedFirstTimestamp: '2021-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2021-01-02T00:00:00Z',
    };
    const kept = conversion.toStored(served);
    expect(kept).to.deep.include({
      involvedObject: served.regarding,
      message: 'n',
      reportingComponent: 'c',
      count: 3,
      source: served.deprecatedSource,
      firstTimestamp: served.deprecatedFirstTimestamp,
      lastTimestamp: served.deprecatedLastTimestamp,
    });
    expect(conversion.toServed(kept)).to.deep.equal(conversion.decode(served));
  });

  it('have a reporter when they are stored, if only an empty one', () => {
    const stored = versionConversions(orchDialect, createTypeCatalog(orchDialect))
      .get(group)
      ?.toStorage({ kind: 'Event', apiVersion: 'events.orch.io/v1', metadata: { name: 'e' } });
    expect(stored).to.deep.include({ reportingComponent: '', reportingInstance: '' });
  });
});

describe('ingresses of v1', () => {
  const conversion = conversionOf('networking.orch.io/v1.Ingress', 'networking.orch.io/v1beta1.Ingress');
  const backends: [name: string, served: object, stored: object][] = [
    [
      'a service by port number',
      { service: { name: 's', port: { number: 80 } } },
      { serviceName: 's', servicePort: 80 },
    ],
    [
      'a service by port name',
      { service: { name: 's', port: { name: 'web' } } },
      { serviceName: 's', servicePort: 'web' },
    ],
    [
      'a resource',
      { resource: { apiGroup: 'g', kind: 'K', name: 'n' } },
      { resource: { apiGroup: 'g', kind: 'K', name: 'n' } },
    ],
  ];
  for (const [name, served, stored] of backends) {
    it(`keep ${name} in the stored shape, by default and by path`, () => {
      const paths = [{ path: '/', pathType: 'Prefix', backend: served }];
      const ingress = {
        metadata: { name: 'i' },
        spec: { defaultBackend: served, rules: [{ host: 'h', http: { paths } }] },
      };
      const kept = conversion.toStored(ingress) as { spec: Record<string, unknown> };
      expect(kept.spec.backend).to.deep.include(stored);
      expect(JSON.stringify(kept.spec.rules)).to.contain(JSON.stringify(stored).slice(1, -1));
      expect(conversion.toServed(kept)).to.deep.equal(conversion.decode(ingress));
    });
  }
});
