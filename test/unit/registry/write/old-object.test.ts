import { expect } from 'chai';
import { type AdmissionAttributes, type Change, updateObject } from '../../../../src/registry/index.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { configMap } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

const configMaps = 'v1/configmaps';
const bytesOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const openGuarded = (see: (attributes: AdmissionAttributes) => void): Promise<TestRegistry> =>
  TestRegistry.open({ recordsOwners: true, admission: { admit: see, validate() {} } });

describe('shownOldObject', () => {
  it('has no owners, unless an apply left the values as they were', async () => {
    const seen: unknown[] = [];
    const owners = (object: unknown) =>
      (object as JsonObject).metadata.managedFields?.map(({ manager }: JsonObject) => manager);
    await using registry = await openGuarded(({ operation, object, oldObject }) => {
      if (operation === 'UPDATE') seen.push([owners(object), owners(oldObject)]);
    });
    await registry.create(configMaps, configMap('a', { k: '1' }));
    const write = (manager: string, change: Change) =>
      updateObject(registry.served(configMaps), {
        namespace: 'default',
        name: 'a',
        subresource: '',
        manager,
        change,
        options: { user: alice, isDryRun: false },
      });
    const apply = (data: Record<string, string>): Change => ({
      kind: 'apply',
      bytes: bytesOf(configMap('a', data)),
      isForced: true,
    });
    await write('m', { kind: 'patch', format: 'merge', bytes: bytesOf({ data: { k: '2' } }) });
    await write('n', apply({ k: '2' }));
    await write('n', apply({ k: '2', l: '3' }));
    expect(seen).to.deep.equal([
      [['m', 'unknown'], undefined],
      [
        ['n', 'm', 'unknown'],
        ['n', 'm', 'unknown'],
      ],
      [['n', 'm', 'unknown'], undefined],
    ]);
  });
});

describe('equivalents', () => {
  it('are in the order in which release 1.20 installs them', async () => {
    const seen: string[] = [];
    await using registry = await openGuarded(({ forms }) => {
      for (const { group, version } of forms?.equivalents() ?? []) seen.push(`${group}/${version}`);
    });
    const metadata = { name: 'a' };
    const spec = { backend: { serviceName: 's', servicePort: 1 } };
    const ingress = { kind: 'Ingress', apiVersion: 'extensions/v1beta1', metadata, spec };
    await registry.create('extensions/v1beta1/ingresses', ingress);
    expect(seen).to.deep.equal(['extensions/v1beta1', 'networking.orch.io/v1', 'networking.orch.io/v1beta1']);
  });
});
