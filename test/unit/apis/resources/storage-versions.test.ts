import { expect } from 'chai';
import { createLossFinder } from '../../../../src/apis/conversions/index.ts';
import {
  createResourceTable,
  resolveStorageVersions,
  StorageVersionsError,
} from '../../../../src/apis/resources/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';

const findLoss = createLossFinder(dialect);
const all = createResourceTable({ dialect, runtimeConfig: { 'api/all': 'true' } });
const usual = createResourceTable({ dialect });
const resolve = (...entries: string[]) =>
  Object.fromEntries(resolveStorageVersions({ table: all, entries, findLoss }));

describe('resolveStorageVersions', () => {
  const cases: [entries: string[], expected: Record<string, string>][] = [
    [[], {}],
    [['apps/v1', 'v1'], {}],
    [
      ['networking.orch.io/v1'],
      {
        'networking.orch.io/v1beta1.Ingress': 'networking.orch.io/v1',
        'networking.orch.io/v1beta1.IngressClass': 'networking.orch.io/v1',
      },
    ],
    [['extensions/v1beta1/ingresses'], { 'networking.orch.io/v1beta1.Ingress': 'extensions/v1beta1' }],
    [['events.orch.io/v1', 'v1/pods'], { 'v1.Event': 'events.orch.io/v1' }],
    [
      ['autoscaling/v2beta2', 'autoscaling/v2beta2/horizontalpodautoscalers'],
      {
        'autoscaling/v1.HorizontalPodAutoscaler': 'autoscaling/v2beta2',
      },
    ],
    [
      ['rbac.authorization.orch.io/v1alpha1/roles'],
      { 'rbac.authorization.orch.io/v1.Role': 'rbac.authorization.orch.io/v1alpha1' },
    ],
  ];
  for (const [entries, expected] of cases) {
    it(`chooses what ${JSON.stringify(entries)} says`, () => {
      expect(resolve(...entries)).to.deep.equal(expected);
    });
  }

  const refused: [entries: string[], reason: RegExp][] = [
    [
      ['v1', 'events.orch.io/v1'],
      /^--storage-versions: events.orch.io\/v1: Event objects are to be stored in v1 already$/,
    ],
    [['rbac.authorization.orch.io/v1alpha1'], /it cannot hold every \w+: the user \* becomes the group/],
    [['v2/pods'], /no version of the group "v2" is served/],
    [['v1/'], /v1 has no resource ""/],
    [['authorization.orch.io/v1/subjectaccessreviews'], /nothing is stored of subjectaccessreviews/],
  ];
  for (const [entries, reason] of refused) {
    it(`refuses ${JSON.stringify(entries)} with the reason`, () => {
      expect(() => resolve(...entries)).to.throw(StorageVersionsError, reason);
    });
  }

  it('refuses what is switched off, and says what is on', () => {
    const options = { table: usual, entries: ['batch/v2alpha1'], findLoss };
    expect(() => resolveStorageVersions(options)).to.throw(
      '--storage-versions: batch/v2alpha1: batch/v2alpha1 is not served; served are batch/v1, batch/v1beta1',
    );
  });

  it('changes what discovery tells of the version, and nothing else', () => {
    const storageVersions = new Map([['networking.orch.io/v1beta1.Ingress', 'networking.orch.io/v1']]);
    const table = createResourceTable({ dialect, storageVersions });
    for (const [index, resource] of table.resources.entries()) {
      const { storageVersionHash, ...rest } = resource;
      const { storageVersionHash: before, ...others } = usual.resources[index] ?? resource;
      expect(rest).to.deep.equal(others);
      expect(storageVersionHash === before, resource.resource).to.equal(resource.kind !== 'Ingress');
    }
  });
});
