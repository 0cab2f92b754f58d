import { expect } from 'chai';
import fc from 'fast-check';
import type { Endpoint, EndpointSlice } from '../../../../src/apis/types/discovery-v1beta1.ts';
import { type Layout, layOut } from '../../../../src/controllers/endpoint-slices/lay-out.ts';

/** An endpoint is written `ADDRESS` or `ADDRESS@HOST`; its address is its key. */
const endpointOf = (text: string): Endpoint => {
  const [address = '', hostname] = text.split('@');
  return { addresses: [address], conditions: {}, ...(hostname === undefined ? {} : { hostname }) };
};
const keyOf = ({ addresses }: Endpoint): string => addresses?.[0] ?? '';
const show = (endpoint: Endpoint): string =>
  endpoint.hostname === undefined ? keyOf(endpoint) : `${keyOf(endpoint)}@${endpoint.hostname}`;
const showAll = (endpoints: readonly Endpoint[]): string => endpoints.map(show).join(' ');
const split = (text: string): string[] => text.split(' ').filter(Boolean);

type Slices = Readonly<Record<string, string>>;

const slicesOf = (slices: Slices): EndpointSlice[] =>
  Object.entries(slices).map(([name, endpoints]) => ({
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1beta1',
    metadata: { name },
    addressType: 'IPv4',
    endpoints: split(endpoints).map(endpointOf),
    ports: [],
  }));
const nameOf = ({ metadata }: EndpointSlice): string => metadata.name ?? '';

interface Case {
  readonly slices: Slices;
  readonly wanted: string;
  readonly max: number;
  readonly stale?: readonly string[];
}

function layOutCase({ slices, wanted, max, stale = [] }: Case): Layout {
  return layOut({
    slices: slicesOf(slices),
    wanted: new Map(split(wanted).map((text) => [keyOf(endpointOf(text)), endpointOf(text)])),
    keyOf,
    isSame: (stored, next) => show(stored) === show(next),
    isStale: (slice) => stale.includes(nameOf(slice)),
    maxEndpoints: max,
  });
}

const shown = ({ creations, updates, deletions }: Layout) => ({
  creations: creations.map(showAll),
  updates: Object.fromEntries(updates.map(({ slice, endpoints }) => [nameOf(slice), showAll(endpoints)])),
  deletions: deletions.map(nameOf),
});
const nothing = { creations: [], updates: {}, deletions: [] };

describe('layOut', () => {
  const cases: readonly [string, Case, object][] = [
    ['makes nothing of nothing', { slices: {}, wanted: '', max: 2 }, nothing],
    ['writes nothing when all is as it should be', { slices: { s: 'a b' }, wanted: 'b a', max: 2 }, nothing],
    ['leaves an empty slice alone', { slices: { s: '' }, wanted: '', max: 2 }, nothing],
    ['makes one slice for a few', { slices: {}, wanted: 'a b', max: 3 }, { ...nothing, creations: ['a b'] }],
    [
      'makes full slices and one for the rest',
      { slices: {}, wanted: 'a b c d e', max: 2 },
      { ...nothing, creations: ['a b', 'c d', 'e'] },
    ],
    [
      'makes no empty slice behind one that is just full',
      { slices: {}, wanted: 'a b', max: 2 },
      { ...nothing, creations: ['a b'] },
    ],
    [
      'writes an endpoint anew that has changed, where it was',
      { slices: { s: 'a b' }, wanted: 'a@x b', max: 2 },
      { ...nothing, updates: { s: 'a@x b' } },
    ],
    [
      'takes an endpoint out that is gone',
      { slices: { s: 'a b', t: 'c d' }, wanted: 'b c d', max: 2 },
      { ...nothing, updates: { s: 'b' } },
    ],
    [
      'deletes a slice whose endpoints are all gone',
      { slices: { s: 'a b', t: 'c' }, wanted: 'c', max: 2 },
      { ...nothing, deletions: ['s'] },
    ],
    [
      'does not fill a slice that is to be deleted',
      { slices: { s: 'a' }, wanted: 'b', max: 2 },
      { ...nothing, creations: ['b'], deletions: ['s'] },
    ],
    [
      'fills a slice that is written anyway before one that is not',
      { slices: { s: 'a b', t: 'c d' }, wanted: 'b c d e', max: 4 },
      { ...nothing, updates: { s: 'b e' } },
    ],
    [
      'fills the fullest of those that are written anyway first',
      { slices: { s: 'a b', t: 'c d e' }, wanted: 'b d e f', max: 3 },
      { ...nothing, updates: { s: 'b', t: 'd e f' } },
    ],
    [
      'goes on with the next one when the fullest is full',
      { slices: { s: 'a b', t: 'c d e' }, wanted: 'b d e f g', max: 3 },
      { ...nothing, updates: { s: 'b g', t: 'd e f' } },
    ],
    [
      'puts the rest together into the fullest slice that has room for all of it',
      { slices: { r: 'a', s: 'b c', t: 'd e f' }, wanted: 'a b c d e f g h', max: 4 },
      { ...nothing, updates: { s: 'b c g h' } },
    ],
    [
      'does not spread the rest over slices that have too little room each',
      { slices: { s: 'a b', t: 'c d' }, wanted: 'a b c d e f', max: 3 },
      { ...nothing, creations: ['e f'] },
    ],
    [
      'makes a slice for as many as fill one, even where there is room',
      { slices: { s: 'a' }, wanted: 'a b c d', max: 3 },
      { ...nothing, creations: ['b c d'] },
    ],
    [
      'makes a slice for as many as fill one, even where one is empty',
      { slices: { s: '' }, wanted: 'a b', max: 2 },
      { ...nothing, creations: ['a b'] },
    ],
    [
      'makes full slices of many and puts the rest where there is room',
      { slices: { s: 'a' }, wanted: 'a b c d e', max: 3 },
      { ...nothing, creations: ['b c d'], updates: { s: 'a e' } },
    ],
    [
      'keeps an endpoint once that two slices have',
      { slices: { s: 'a b', t: 'a c' }, wanted: 'a b c', max: 2 },
      { ...nothing, updates: { t: 'c' } },
    ],
    [
      'keeps an endpoint once that a slice has twice',
      { slices: { s: 'a a' }, wanted: 'a', max: 2 },
      { ...nothing, updates: { s: 'a' } },
    ],
    [
      'writes a stale slice, and fills it',
      { slices: { s: 'a', t: 'b c' }, wanted: 'a b c d', max: 3, stale: ['s'] },
      { ...nothing, updates: { s: 'a d' } },
    ],
    [
      'takes none out of a slice that holds more than a smaller bound allows, and adds none',
      { slices: { s: 'a b c d' }, wanted: 'b c d e', max: 2 },
      { ...nothing, creations: ['e'], updates: { s: 'b c d' } },
    ],
  ];
  for (const [title, given, expected] of cases) {
    it(title, () => expect(shown(layOutCase(given))).to.deep.equal(expected));
  }

  it('takes a slice without a list as an empty one', () => {
    const [slice] = slicesOf({ s: '' });
    const layout = layOut({
      slices: [{ ...slice, endpoints: undefined } as unknown as EndpointSlice], // as a server may send it
      wanted: new Map([['a', endpointOf('a')]]),
      keyOf,
      isSame: () => true,
      isStale: () => false,
      maxEndpoints: 2,
    });
    expect(shown(layout)).to.deep.equal({ ...nothing, updates: { s: 'a' } });
  });

  const anyEndpoint = fc
    .tuple(fc.integer({ min: 0, max: 14 }), fc.constantFrom('', '@x'))
    .map(([number, host]) => `e${number}${host}`);
  const texts = fc.array(anyEndpoint, { maxLength: 12 });
  const anyCase = fc
    .record({
      lists: fc.array(fc.array(anyEndpoint, { maxLength: 4 }), { maxLength: 4 }),
      wanted: texts,
      max: fc.integer({ min: 1, max: 5 }),
      stale: fc.subarray(['s0', 's1', 's2', 's3']),
    })
    .map(({ lists, wanted, ...rest }) => ({
      ...rest,
      slices: Object.fromEntries(lists.map((list, at) => [`s${at}`, list.join(' ')])),
      wanted: wanted.join(' '),
    }));

  /** The slices when everything was written. */
  function carryOut(slices: Slices, layout: Layout): Record<string, string> {
    const { creations, updates, deletions } = shown(layout);
    const after: Record<string, string> = { ...slices, ...updates };
    for (const name of deletions) delete after[name];
    for (const [at, endpoints] of creations.entries()) after[`new${at}`] = endpoints;
    return after;
  }

  it('ends with each wanted endpoint in just one slice, as it is wanted, and then has nothing to do', () => {
    fc.assert(
      fc.property(anyCase, (given) => {
        const layout = layOutCase(given);
        const after = carryOut(given.slices, layout);
        const wanted = new Map(split(given.wanted).map((text) => [keyOf(endpointOf(text)), text]));
        const placed = Object.values(after).flatMap(split);
        expect(placed.toSorted()).to.deep.equal([...wanted.values()].toSorted());
        expect(shown(layOutCase({ ...given, slices: after, stale: [] }))).to.deep.equal(nothing);
      }),
    );
  });

  it('makes no slice larger than the bound, writes no slice twice and adds to at most one that was good', () => {
    fc.assert(
      fc.property(anyCase, (given) => {
        const { creations, updates, deletions } = layOutCase(given);
        for (const endpoints of creations) expect(endpoints.length).to.be.within(1, given.max);
        for (const { slice, endpoints } of updates) {
          const before = slice.endpoints?.length ?? 0;
          expect(endpoints.length).to.be.at.most(Math.max(given.max, before));
        }
        const written = [...updates.map(({ slice }) => slice), ...deletions].map(nameOf);
        expect(new Set(written).size).to.equal(written.length);
        expect(creations.filter((endpoints) => endpoints.length < given.max).length).to.be.at.most(1);
      }),
    );
  });
});
