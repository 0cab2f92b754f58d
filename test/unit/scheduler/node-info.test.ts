import { expect } from 'chai';
import fc from 'fast-check';
import { everything, labelSelectorFromSet, nothing } from '../../../src/machinery/selectors/index.ts';
import { selectedCounter } from '../../../src/scheduler/filters/index.ts';
import { NodeInfo } from '../../../src/scheduler/node-info.ts';
import { podOf } from './fixtures.ts';

const selectors = [
  everything,
  nothing,
  labelSelectorFromSet({ app: 'a' }),
  labelSelectorFromSet({ app: 'b' }),
];
const name = fc.constantFrom('p', 'q', 'r');
const place = fc.constantFrom('n', 'm');
const anyPod = fc
  .record({ name, namespace: place, app: fc.constantFrom('a', 'b', 'c'), isEnding: fc.boolean() })
  .map(({ name, namespace, app, isEnding }) =>
    podOf(name, {
      namespace,
      labels: { app },
      ...(isEnding && { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    }),
  );

describe('a node', () => {
  it('counts the pods of a selector that it has at the moment, however often it is asked', () => {
    const step = fc.oneof(
      anyPod.map((pod) => ({ add: pod })),
      fc.tuple(place, name).map(([namespace, gone]) => ({ remove: `${namespace}/${gone}` })),
      fc.constant({ clone: true }),
    );
    fc.assert(
      fc.property(fc.array(step), anyPod, (steps, asking) => {
        let node = new NodeInfo('node');
        for (const each of steps) {
          if ('add' in each) node.addPod(each.add);
          else if ('remove' in each) node.removePod(each.remove);
          else node = node.clone();
          for (const selector of selectors) {
            const counted = [...node.pods()].filter(
              ({ namespace, labels, pod }) =>
                namespace === asking.namespace &&
                pod.metadata.deletionTimestamp === undefined &&
                selector.matches(labels),
            );
            expect(selectedCounter(asking, selector)(node)).to.equal(counted.length);
          }
        }
      }),
    );
  });
});
