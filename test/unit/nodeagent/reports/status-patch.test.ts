import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import type { ContainerStatus, PodCondition, PodStatus } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { applyStrategicMergePatch } from '../../../../src/machinery/patch/strategic/index.ts';
import { statusPatch } from '../../../../src/nodeagent/reports/index.ts';

const catalog = createTypeCatalog(orchDialect);
const podType = catalog.type('v1.Pod');

/** The status that a server has after the patch. */
function patched(current: PodStatus, wanted: PodStatus): PodStatus {
  const patch = statusPatch('u', current, wanted);
  if (patch === undefined) return current;
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', uid: 'u' }, spec: {}, status: current };
  const result = podType.decode(applyStrategicMergePatch(pod, { ...patch }, podType, catalog));
  return (result as unknown as { status: PodStatus }).status; // decoded as a pod
}

const condition = (type: string, status = 'True', rest: Partial<PodCondition> = {}): PodCondition => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: '2021-01-01T00:00:00Z',
  ...rest,
});
const running: ContainerStatus = {
  name: 'c',
  state: { running: { startedAt: '2021-01-01T00:00:00Z' } },
  lastState: {},
  ready: true,
  restartCount: 0,
  image: 'i',
  imageID: 'sha256:1',
  containerID: 'containerd://1',
  started: true,
};

describe('statusPatch', () => {
  const cases: readonly [about: string, current: PodStatus, wanted: PodStatus, status: object | undefined][] =
    [
      ['nothing that is equal', { phase: 'Running' }, { phase: 'Running' }, undefined],
      [
        'nothing of what is only empty',
        { phase: 'Running' },
        { phase: 'Running', message: '', podIPs: [], startTime: null },
        undefined,
      ],
      [
        'nothing for another order of fields or conditions',
        { containerStatuses: [running], conditions: [condition('Ready'), condition('PodScheduled')] },
        {
          containerStatuses: [
            Object.fromEntries(Object.entries(running).reverse()) as unknown as ContainerStatus,
          ],
          conditions: [condition('PodScheduled'), condition('Ready')],
        },
        undefined,
      ],
      ['a new value', { phase: 'Pending' }, { phase: 'Running' }, { phase: 'Running' }],
      ['null for what goes', { phase: 'Failed', reason: 'Evicted' }, { phase: 'Failed' }, { reason: null }],
      [
        'containers as a whole',
        { containerStatuses: [running] },
        { containerStatuses: [{ ...running, ready: false }] },
        { containerStatuses: [{ ...running, ready: false }] },
      ],
      [
        'what changed of a condition, and the order',
        {
          conditions: [
            condition('Ready', 'False', { reason: 'ContainersNotReady' }),
            condition('example.test/own'),
          ],
        },
        { conditions: [condition('Ready', 'True'), condition('PodScheduled')] },
        {
          '$setElementOrder/conditions': [
            { type: 'example.test/own' },
            { type: 'Ready' },
            { type: 'PodScheduled' },
          ],
          conditions: [{ type: 'Ready', status: 'True', reason: null }, condition('PodScheduled')],
        },
      ],
      [
        'the end of conditions of its own only',
        { conditions: [condition('Ready'), condition('example.test/own')] },
        {},
        {
          '$setElementOrder/conditions': [{ type: 'example.test/own' }],
          conditions: [{ $patch: 'delete', type: 'Ready' }],
        },
      ],
      ['no conditions of others', {}, { conditions: [condition('example.test/own')] }, undefined],
      [
        'addresses by themselves',
        { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
        { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }] },
        {
          podIP: '10.0.0.2',
          '$setElementOrder/podIPs': [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }],
          podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }, { $patch: 'delete', ip: '10.0.0.1' }],
        },
      ],
    ];
  for (const [about, current, wanted, status] of cases) {
    it(`sends ${about}`, () => {
      const patch = statusPatch('u', current, wanted);
      expect(patch).to.deep.equal(status === undefined ? undefined : { metadata: { uid: 'u' }, status });
    });
  }

  const text = fc.constantFrom(undefined, 'a', 'b');
  const conditions = (types: readonly string[]): fc.Arbitrary<PodCondition[]> =>
    fc.uniqueArray(
      fc.record(
        {
          type: fc.constantFrom(...types),
          status: fc.constantFrom('True', 'False'),
          reason: fc.constantFrom('A', 'B'),
          lastProbeTime: fc.constant(null),
          lastTransitionTime: fc.constantFrom('2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z'),
        },
        { requiredKeys: ['type', 'status', 'lastProbeTime', 'lastTransitionTime'] },
      ),
      { selector: ({ type }) => type },
    );
  const own = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
  const status = (types: readonly string[]): fc.Arbitrary<PodStatus> =>
    fc.record({
      phase: fc.constantFrom('Pending', 'Running'),
      conditions: conditions(types),
      message: text,
      reason: text,
      startTime: fc.constantFrom(undefined, '2021-01-01T00:00:00Z'),
      podIPs: fc
        .uniqueArray(fc.constantFrom('10.0.0.1', '10.0.0.2', 'fd00::1'))
        .map((ips) => ips.map((ip) => ({ ip }))),
      containerStatuses: fc.array(
        fc.record({ ready: fc.boolean(), restartCount: fc.nat(2) }).map((some) => ({ ...running, ...some })),
        { maxLength: 2 },
      ),
    });
  const decode = (given: PodStatus): PodStatus =>
    (podType.decode({ kind: 'Pod', apiVersion: 'v1', status: given }) as unknown as { status: PodStatus })
      .status; // decoded as a pod

  it('makes the status of a server the wanted one, but for the conditions of others', () => {
    fc.assert(
      fc.property(status([...own, 'x.test/a', 'x.test/b']), status(own), (current, wanted) => {
        const result = patched(decode(current), wanted);
        const { conditions: after = [], ...rest } = result;
        const { conditions: expected = [], ...expectedRest } = decode(wanted);
        expect(rest).to.deep.equal(expectedRest);
        const isOwn = ({ type }: PodCondition): boolean => own.includes(type);
        expect(after.filter(isOwn)).to.have.deep.members(expected);
        const others = (decode(current).conditions ?? []).filter((one) => !isOwn(one));
        expect(after.filter((one) => !isOwn(one))).to.have.deep.members(others);
        expect(statusPatch('u', result, wanted)).to.equal(undefined);
      }),
      { numRuns: 300 },
    );
  });
});
