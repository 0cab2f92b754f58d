import { expect } from 'chai';
import { run, write } from './fixtures.ts';

describe('NodeRestriction, for claims', () => {
  const user = { name: 'system:node:n', uid: '', groups: ['system:nodes'], extra: {} };
  const claim = (spec: object, status: object) => ({
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: { name: 'c', namespace: 'default' },
    spec,
    status,
  });
  const grown = { oldObject: claim({}, {}), object: claim({}, { capacity: { storage: '2Gi' } }) };
  const other = { oldObject: claim({}, {}), object: claim({}, { phase: 'Bound' }) };
  const growth = new Set(['ExpandPersistentVolumes']);
  const cases: [name: string, objects: object, gates: Set<string>, detail: string | undefined][] = [
    ['lets agents write that a volume has grown', grown, growth, undefined],
    [
      'refuses all else',
      other,
      growth,
      'node "n" is not allowed to update fields other than status.capacity and status.conditions',
    ],
    [
      'refuses everything where volumes do not grow',
      grown,
      new Set(),
      'node "n" is not allowed to update persistentvolumeclaim metadata',
    ],
  ];
  for (const [name, objects, gates, detail] of cases) {
    it(name, async () => {
      const resourceName = 'persistentvolumeclaims';
      const update = write({ ...objects, resourceName, user, operation: 'UPDATE', subresource: 'status' });
      const refused = await run(update, { plugins: ['NodeRestriction'], gates });
      expect(refused?.message).to.equal(detail && `persistentvolumeclaims "c" is forbidden: ${detail}`);
    });
  }
});
