import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createPodObjects } from '../../../../src/nodeagent/objects/pod-objects.ts';

/** Counts users, as a source does. */
function createCounts() {
  const users = new Map<string, number>();
  const told: string[] = [];
  let change: (namespace: string, name: string) => void = () => {};
  const count = (by: number) => (namespace: string, name: string) => {
    const key = `${namespace}/${name}`;
    const left = (users.get(key) ?? 0) + by;
    if (left === 0) users.delete(key);
    else users.set(key, left);
  };
  const objects = createPodObjects(
    (onChange) => {
      change = onChange;
      return { retain: count(1), release: count(-1), get: async () => undefined };
    },
    (podUid) => told.push(podUid),
  );
  return { objects, users, told, change: (namespace: string, name: string) => change(namespace, name) };
}

describe('createPodObjects', () => {
  it('retains each object once for each pod that uses it, whatever pods do', () => {
    const uid = fc.constantFrom('u1', 'u2', 'u3');
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
    fc.assert(
      fc.property(fc.array(fc.tuple(uid, names), { maxLength: 20 }), (steps) => {
        const { objects, users } = createCounts();
        for (const [podUid, used] of steps) objects.use(podUid, 'ns', new Set(used));
        const expected = new Map<string, number>();
        for (const used of new Map(steps).values()) {
          for (const name of used) expected.set(`ns/${name}`, (expected.get(`ns/${name}`) ?? 0) + 1);
        }
        expect(Object.fromEntries(users)).to.deep.equal(Object.fromEntries(expected));
      }),
    );
  });

  it('tells the pods that use what has changed', () => {
    const { objects, told, change } = createCounts();
    objects.use('u1', 'ns', new Set(['a', 'b']));
    objects.use('u2', 'ns', new Set(['b']));
    change('ns', 'b');
    objects.use('u1', 'ns', new Set(['a']));
    change('ns', 'b');
    change('other', 'b');
    expect(told).to.deep.equal(['u1', 'u2', 'u2']);
  });
});
