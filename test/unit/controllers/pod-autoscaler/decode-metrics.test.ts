import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeCustomMetrics,
  decodeExternalMetrics,
  decodeObjectMetric,
  decodePodMetrics,
} from '../../../../src/controllers/pod-autoscaler/decode-metrics.ts';
import type { Reading } from '../../../../src/controllers/pod-autoscaler/readings.ts';
import { QuantityError } from '../../../../src/machinery/values/index.ts';

const timestamp = '2030-01-01T00:00:30Z';
const atMs = Date.UTC(2030, 0, 1, 0, 0, 30);

/** The metrics of a pod; usage by container. */
const podMetrics = (name: string, usage: Readonly<Record<string, object>>, rest: object = {}) => ({
  metadata: { name, namespace: 'ns' },
  timestamp,
  window: '30s',
  containers: Object.entries(usage).map(([container, amounts]) => ({ name: container, usage: amounts })),
  ...rest,
});
const listOf = (...items: object[]) => ({ items });

/** Milli amounts by pod, or the message. */
function shown(reading: Reading): Record<string, bigint> | string {
  if (reading.kind === 'failed') return reading.message;
  if (reading.kind === 'total') throw new Error('a total was read');
  return Object.fromEntries([...reading.samples].map(([name, { milli }]) => [name, milli]));
}
const nothings: readonly unknown[] = [{ items: [] }, { items: null }, {}, null, undefined, 'text', [], 7];

describe('decodePodMetrics', () => {
  const two = listOf(
    podMetrics('a', { main: { cpu: '250m', memory: '1Ki' }, side: { cpu: '1', memory: '1Ki' } }),
    podMetrics('b', { main: { cpu: '1500u' }, side: { cpu: '0' } }),
  );

  it('adds up what the containers of each pod use, in thousandths, rounded up', () => {
    expect(shown(decodePodMetrics(two, 'cpu', ''))).to.deep.equal({ a: 1250n, b: 2n });
  });

  it('takes one container only where one is named', () => {
    expect(shown(decodePodMetrics(two, 'cpu', 'main'))).to.deep.equal({ a: 250n, b: 2n });
    expect(shown(decodePodMetrics(two, 'cpu', 'side'))).to.deep.equal({ a: 1000n, b: 0n });
  });

  it('leaves out pods of which a container was not measured', () => {
    expect(shown(decodePodMetrics(two, 'memory', ''))).to.deep.equal({ a: 2_048_000n });
    const half = listOf(podMetrics('a', { main: { cpu: '1' }, side: {} }));
    expect(shown(decodePodMetrics(half, 'cpu', ''))).to.deep.equal({});
    expect(shown(decodePodMetrics(half, 'cpu', 'main'))).to.deep.equal({ a: 1000n });
    expect(shown(decodePodMetrics(half, 'cpu', 'side'))).to.deep.equal({});
  });

  it('leaves out pods without containers', () => {
    expect(shown(decodePodMetrics(listOf(podMetrics('a', {})), 'cpu', ''))).to.deep.equal({});
  });

  it('fails where a pod does not have the container', () => {
    const list = listOf(podMetrics('a', { main: { cpu: '1' } }), podMetrics('b', { other: { cpu: '1' } }));
    expect(shown(decodePodMetrics(list, 'cpu', 'main'))).to.equal(
      'failed to get container metrics: container main not present in metrics for pod ns/b',
    );
  });

  it('knows when and over what time was measured', () => {
    const reading = decodePodMetrics(
      listOf(podMetrics('a', { c: { cpu: '1' } }, { window: '1m30s' })),
      'cpu',
      '',
    );
    expect(reading).to.deep.equal({
      kind: 'pods',
      samples: new Map([['a', { milli: 1000n, atMs, windowMs: 90_000 }]]),
    });
  });

  it('takes no window for one of no length', () => {
    const reading = decodePodMetrics(
      listOf(podMetrics('a', { c: { cpu: '1' } }, { window: undefined })),
      'cpu',
      '',
    );
    expect(reading.kind === 'pods' && reading.samples.get('a')?.windowMs).to.equal(0);
  });

  it('fails when there are no metrics', () => {
    for (const list of nothings)
      expect(shown(decodePodMetrics(list, 'cpu', ''))).to.equal(
        'no metrics returned from resource metrics API',
      );
  });

  it('does not take what objects inherit for an amount', () => {
    const list = listOf(podMetrics('a', { c: { cpu: '1' } }));
    for (const resource of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(shown(decodePodMetrics(list, resource, '')), resource).to.deep.equal({});
  });

  it('throws for an amount that is none', () => {
    for (const cpu of ['', 'much', '1..2', {}, [], true])
      expect(() => decodePodMetrics(listOf(podMetrics('a', { c: { cpu } })), 'cpu', '')).to.throw(
        QuantityError,
      );
  });

  it('adds up to the same however use is spread over containers', () => {
    const millis = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(millis, (amounts) => {
        const usage = Object.fromEntries(amounts.map((amount, at) => [`c${at}`, { cpu: `${amount}m` }]));
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        expect(shown(decodePodMetrics(listOf(podMetrics('a', usage)), 'cpu', ''))).to.deep.equal({
          a: BigInt(total),
        });
      }),
    );
  });
});

/** One value of a custom metric. */
const metricOf = (name: string, value: unknown, rest: object = {}) => ({
  describedObject: { kind: 'Pod', namespace: 'ns', name },
  timestamp,
  value,
  ...rest,
});

describe('decodeCustomMetrics', () => {
  it('reads the value of each pod', () => {
    const list = listOf(metricOf('a', '500m'), metricOf('b', '2k'), metricOf('c', '0'));
    expect(shown(decodeCustomMetrics(list))).to.deep.equal({ a: 500n, b: 2_000_000n, c: 0n });
  });

  const windows: readonly [string, object, number][] = [
    ['a minute where none is told', {}, 60_000],
    ['the seconds of `windowSeconds`, as version v1beta2 calls it', { windowSeconds: 30 }, 30_000],
    ['the seconds of `window`, as version v1beta1 calls it', { window: 15 }, 15_000],
    ['no time where it is 0', { windowSeconds: 0 }, 0],
    ['a minute for what is no number', { windowSeconds: '30' }, 60_000],
  ];
  for (const [title, rest, windowMs] of windows) {
    it(`was measured over ${title}`, () => {
      const expected = new Map([['a', { milli: 1000n, atMs, windowMs }]]);
      const reading = decodeCustomMetrics(listOf(metricOf('a', '1', rest)));
      expect(reading).to.deep.equal({ kind: 'pods', samples: expected });
    });
  }

  it('fails when there are no metrics', () => {
    for (const list of nothings)
      expect(shown(decodeCustomMetrics(list))).to.equal('no metrics returned from custom metrics API');
  });

  it('throws for a value that is none', () => {
    for (const value of ['', 'x', undefined, null])
      expect(() => decodeCustomMetrics(listOf(metricOf('a', value)))).to.throw(QuantityError);
  });
});

describe('decodeObjectMetric', () => {
  it('reads the only value', () => {
    expect(decodeObjectMetric(listOf(metricOf('a', '1500m')))).to.deep.equal({ kind: 'total', milli: 1500n });
  });

  it('fails unless there is just one', () => {
    const message = (count: number) =>
      `unable to fetch metrics from custom metrics API: the custom metrics API server returned ${count} results when we asked for exactly one`;
    const list = listOf(metricOf('a', '1'), metricOf('b', '1'));
    expect(decodeObjectMetric(list)).to.deep.equal({ kind: 'failed', message: message(2) });
    for (const none of nothings)
      expect(decodeObjectMetric(none)).to.deep.equal({ kind: 'failed', message: message(0) });
  });
});

describe('decodeExternalMetrics', () => {
  it('adds all values up, each rounded up to thousandths', () => {
    const list = listOf({ value: '1' }, { value: '250m' }, { value: '1u' }, { value: '-1' });
    expect(decodeExternalMetrics(list)).to.deep.equal({ kind: 'total', milli: 251n });
  });

  it('adds up more than numbers hold exactly', () => {
    const list = listOf({ value: '9007199254740993' }, { value: '1m' });
    expect(decodeExternalMetrics(list)).to.deep.equal({ kind: 'total', milli: 9_007_199_254_740_993_001n });
  });

  it('fails when there are no metrics', () => {
    const message = 'no metrics returned from external metrics API';
    for (const list of nothings)
      expect(decodeExternalMetrics(list)).to.deep.equal({ kind: 'failed', message });
  });
});
