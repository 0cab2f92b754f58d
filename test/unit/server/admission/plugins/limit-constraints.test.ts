import { expect } from 'chai';
import fc from 'fast-check';
import { compareQuantities, parseQuantity } from '../../../../../src/machinery/values/index.ts';
import {
  type Bound,
  largerAmounts,
  maximumProblem,
  maximumRequestProblem,
  minimumProblem,
  ratioProblem,
  sumAmounts,
  type Usage,
} from '../../../../../src/server/admission/plugins/limit-constraints.ts';

const bound = (amount: string, name = 'cpu'): Bound => ({ type: 'Container', name, amount });

/** What is requested, and the limit; empty: not given. */
function usage(request: string, limit: string, name = 'cpu'): Usage {
  return {
    requests: request === '' ? {} : { [name]: request },
    limits: limit === '' ? {} : { [name]: limit },
  };
}

/** Request, limit, bound and what is said of them. */
type Case = readonly [request: string, limit: string, amount: string, problem: string | undefined];

function tryCases(problemOf: (bound: Bound, usage: Usage) => string | undefined, cases: readonly Case[]) {
  for (const [request, limit, amount, problem] of cases) {
    const title = `request ${request || 'none'}, limit ${limit || 'none'}, bound ${amount}: ${problem ?? 'fits'}`;
    it(title, () => expect(problemOf(bound(amount), usage(request, limit))).to.equal(problem));
  }
}

describe('minimumProblem', () => {
  const text = (amount: string) => `minimum cpu usage per Container is ${amount}`;
  tryCases(minimumProblem, [
    ['100m', '100m', '100m', undefined],
    ['0.1', '', '100m', undefined],
    ['1', '2', '1000m', undefined],
    ['99m', '200m', '100m', `${text('100m')}, but request is 99m`],
    ['100m', '99m', '100m', `${text('100m')}, but limit is 99m`],
    ['1m', '1m', '100m', `${text('100m')}, but request is 1m`],
    ['', '200m', '100m', `${text('100m')}.  No request is specified`],
    ['', '', '0', `${text('0')}.  No request is specified`],
    ['0', '', '0', undefined],
  ]);

  it('tells of the resource and of what it is a bound of', () => {
    const given = { type: 'PersistentVolumeClaim', name: 'storage', amount: '2Gi' };
    expect(minimumProblem(given, usage('1Gi', '', 'storage'))).to.equal(
      'minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    );
  });

  it('compares amounts that no machine has without losing a digit', () => {
    const given = bound('9223372036854775807', 'memory');
    expect(minimumProblem(given, usage('9223372036854775807', '', 'memory'))).to.equal(undefined);
    expect(minimumProblem(given, usage('9223372036854775806', '', 'memory'))).to.contain('but request is');
  });

  it('does not take what every object inherits for an amount', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(minimumProblem(bound('1', name), { requests: {}, limits: {} })).to.contain('No request');
  });
});

describe('maximumProblem', () => {
  const text = (amount: string) => `maximum cpu usage per Container is ${amount}`;
  tryCases(maximumProblem, [
    ['100m', '200m', '200m', undefined],
    ['', '200m', '0.2', undefined],
    ['100m', '201m', '200m', `${text('200m')}, but limit is 201m`],
    ['201m', '200m', '200m', `${text('200m')}, but request is 201m`],
    ['300m', '300m', '200m', `${text('200m')}, but limit is 300m`],
    ['100m', '', '200m', `${text('200m')}.  No limit is specified`],
    ['', '', '1', `${text('1')}.  No limit is specified`],
  ]);
});

describe('maximumRequestProblem', () => {
  const text = (amount: string) => `maximum cpu usage per Container is ${amount}`;
  tryCases(maximumRequestProblem, [
    ['1', '', '1', undefined],
    ['1001m', '', '1', `${text('1')}, but request is 1001m`],
    ['', '', '1', `${text('1')}.  No request is specified`],
    ['1', '5', '1', undefined],
  ]);
});

describe('ratioProblem', () => {
  const text = (amount: string) => `cpu max limit to request ratio per Container is ${amount}`;
  tryCases(ratioProblem, [
    ['100m', '200m', '2', undefined],
    ['100m', '201m', '2', `${text('2')}, but provided ratio is 2.010000`],
    ['1', '1500m', '1500m', undefined],
    ['1', '1501m', '1500m', `${text('1500m')}, but provided ratio is 1.501000`],
    ['3', '10', '3', `${text('3')}, but provided ratio is 3.333333`],
    ['200m', '100m', '1', undefined],
    ['', '200m', '2', `${text('2')}, but no request is specified or request is 0`],
    ['0', '200m', '2', `${text('2')}, but no request is specified or request is 0`],
    ['100m', '', '2', `${text('2')}, but no limit is specified or limit is 0`],
    ['100m', '0', '2', `${text('2')}, but no limit is specified or limit is 0`],
    ['', '', '2', `${text('2')}, but no request is specified or request is 0`],
  ]);
});

describe('sumAmounts', () => {
  const cases: readonly [string, readonly Record<string, string>[], object][] = [
    ['nothing of nothing', [], {}],
    ['one amount, in decimal units', [{ cpu: '0.5', memory: '1Gi' }], { cpu: '500m', memory: '1073741824' }],
    ['thousandths of CPU', [{ cpu: '500m' }, { cpu: '0.25' }, { cpu: '1' }], { cpu: '1750m' }],
    ['only what all of them name', [{ cpu: '1', memory: '1' }, { cpu: '1' }], { cpu: '2' }],
    ['nothing where the first one names nothing', [{}, { cpu: '1' }], {}],
    [
      'a resource of a vendor',
      [{ 'example.com/gpu': '1' }, { 'example.com/gpu': '2' }],
      { 'example.com/gpu': '3' },
    ],
  ];
  for (const [title, parts, sums] of cases) {
    it(`makes ${title}`, () => expect(sumAmounts(parts)).to.deep.equal(sums));
  }

  const millis = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 8 });

  it('adds up to the same in any order, and exactly', () => {
    fc.assert(
      fc.property(millis, (amounts) => {
        const parts = amounts.map((amount) => ({ cpu: `${amount}m` }));
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        const { cpu = '' } = sumAmounts(parts);
        expect(compareQuantities(parseQuantity(cpu), parseQuantity(`${total}m`))).to.equal(0);
        expect(sumAmounts(parts.toReversed())).to.deep.equal({ cpu });
      }),
    );
  });
});

describe('largerAmounts', () => {
  const cases: readonly [string, Record<string, string>, Record<string, string>, Record<string, string>][] = [
    ['the larger amount', { cpu: '1' }, { cpu: '1500m' }, { cpu: '1500m' }],
    ['the larger one when it comes first', { cpu: '2' }, { cpu: '1500m' }, { cpu: '2' }],
    ['the first spelling of the same amount', { cpu: '1' }, { cpu: '1000m' }, { cpu: '1' }],
    ['amounts that only one has', { cpu: '1' }, { memory: '1Gi' }, { cpu: '1', memory: '1Gi' }],
    [
      'each resource for itself',
      { cpu: '1', memory: '2' },
      { cpu: '2', memory: '1' },
      { cpu: '2', memory: '2' },
    ],
    ['nothing of nothing', {}, {}, {}],
    ['a name that objects inherit', {}, { constructor: '1' } as never, { constructor: '1' } as never],
  ];
  for (const [title, a, b, larger] of cases) {
    it(`takes ${title}`, () => {
      const before = structuredClone([a, b]);
      expect(largerAmounts(a, b)).to.deep.equal(larger);
      expect([a, b]).to.deep.equal(before);
    });
  }
});
