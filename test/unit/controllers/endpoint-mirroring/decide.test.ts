import { expect } from 'chai';
import type { Endpoints, Service } from '../../../../src/apis/types/core-v1.ts';
import type { EndpointSlice } from '../../../../src/apis/types/discovery-v1beta1.ts';
import { decideMirror } from '../../../../src/controllers/endpoint-mirroring/decide.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const service = (spec: object = {}) => ({ metadata: { name: 'web' }, spec }) as unknown as Service;
const endpoints = (subsets: object[], metadata: object = {}) =>
  ({ metadata: { name: 'web', namespace: 'n', uid: 'u', ...metadata }, subsets }) as unknown as Endpoints;
const subset = (ips: string[], port = 80, more: object = {}) => ({
  addresses: ips.map((ip) => ({ ip })),
  ports: [{ port, protocol: 'TCP' }],
  ...more,
});

/** The mirrored slices of a service, as a server keeps them. */
class World {
  slices: EndpointSlice[] = [];
  writes = 0;
  skipped = 0;
  #names = 0;

  sync(of: Endpoints | undefined, owner: Service | undefined = service(), maxAddresses = 1000): void {
    const { slices } = this;
    const plan = decideMirror({ endpoints: of, service: owner, slices, maxAddresses, dialect });
    this.writes = plan.creations.length + plan.updates.length + plan.deletions.length;
    this.skipped = plan.skipped;
    const changed = new Map(plan.updates.map((slice) => [slice.metadata.name, slice]));
    this.slices = slices
      .filter((slice) => !plan.deletions.includes(slice))
      .map((slice) => changed.get(slice.metadata.name) ?? slice);
    for (const slice of plan.creations) {
      const name = `${slice.metadata.generateName}${++this.#names}`;
      this.slices.push({ ...slice, metadata: { ...slice.metadata, name } });
    }
  }

  get shown(): string[] {
    return this.slices
      .map(({ addressType, ports, endpoints: own }) => {
        const ips = (own ?? []).map(({ addresses }) => addresses?.[0]).sort();
        return `${addressType} ${(ports ?? []).map(({ port }) => port)}: ${ips}`;
      })
      .sort();
  }
}

describe('mirrored slices', () => {
  it('say what endpoints say, and whose they are', () => {
    const world = new World();
    const targetRef = { kind: 'Pod', namespace: 'n', name: 'p', uid: 'p' };
    const addresses = [{ ip: '192.0.2.1', hostname: 'h', nodeName: 'node', targetRef }];
    world.sync(
      endpoints([{ addresses, ports: [{ name: 'web', port: 80, protocol: 'TCP', appProtocol: 'http' }] }]),
    );
    const [slice] = world.slices;
    expect(slice?.metadata).to.deep.include({
      namespace: 'n',
      generateName: 'web-',
      labels: {
        'orch.io/service-name': 'web',
        'endpointslice.orch.io/managed-by': 'endpointslicemirroring-controller.orch.io',
      },
    });
    expect(slice?.metadata.ownerReferences?.[0]).to.include({
      kind: 'Endpoints',
      uid: 'u',
      controller: true,
    });
    expect(slice?.ports).to.deep.equal([{ name: 'web', port: 80, protocol: 'TCP', appProtocol: 'http' }]);
    expect(slice?.endpoints).to.deep.equal([
      {
        addresses: ['192.0.2.1'],
        conditions: { ready: true },
        hostname: 'h',
        targetRef,
        topology: { 'orch.io/hostname': 'node' },
      },
    ]);
  });

  const cases: [string, object[], string[]][] = [
    [
      'are one for each set of ports',
      [subset(['192.0.2.1']), subset(['192.0.2.1'], 81)],
      ['IPv4 80: 192.0.2.1', 'IPv4 81: 192.0.2.1'],
    ],
    [
      'are one for each kind of address',
      [subset(['192.0.2.1', 'fd00::1'])],
      ['IPv4 80: 192.0.2.1', 'IPv6 80: fd00::1'],
    ],
    [
      'join subsets of the same ports',
      [subset(['192.0.2.1']), subset(['192.0.2.2'])],
      ['IPv4 80: 192.0.2.1,192.0.2.2'],
    ],
    [
      'have addresses that are not ready',
      [subset([], 80, { notReadyAddresses: [{ ip: '192.0.2.9' }] })],
      ['IPv4 80: 192.0.2.9'],
    ],
    ['are none without addresses', [subset([])], []],
  ];
  for (const [what, subsets, shown] of cases) {
    it(what, () => {
      const world = new World();
      world.sync(endpoints(subsets));
      expect(world.shown).to.deep.equal(shown);
    });
  }

  const some = [subset(['192.0.2.1'])];
  const unmirrored: [string, Endpoints | undefined, Service | undefined][] = [
    ['are gone', undefined, service()],
    ['have no service', endpoints(some), undefined],
    ['are those of a service that selects pods', endpoints(some), service({ selector: {} })],
    ['ask for it', endpoints(some, { labels: { 'endpointslice.orch.io/skip-mirror': 'true' } }), service()],
    [
      'elect a leader',
      endpoints(some, { annotations: { 'control-plane.alpha.orch.io/leader': '{}' } }),
      service(),
    ],
  ];
  for (const [what, of, owner] of unmirrored) {
    it(`go when their endpoints ${what}`, () => {
      const world = new World();
      world.sync(endpoints(some));
      expect(world.slices).to.have.lengthOf(1);
      const { slices } = world;
      expect(decideMirror({ endpoints: of, service: owner, slices, maxAddresses: 9, dialect })).to.deep.equal(
        {
          ...{ creations: [], updates: [], deletions: slices, skipped: 0 },
        },
      );
    });
  }

  it('have the labels of their endpoints, and forget where their names came from when they change', () => {
    const world = new World();
    world.sync(endpoints(some, { labels: { tier: 'front' } }));
    expect(world.slices[0]?.metadata).to.deep.include({ generateName: 'web-', name: 'web-1' });
    expect(world.slices[0]?.metadata.labels?.tier).to.equal('front');
    world.sync(endpoints([subset(['192.0.2.7'])], { labels: { tier: 'front' } }));
    const { name, generateName } = world.slices[0]?.metadata ?? {};
    expect([name, generateName]).to.deep.equal(['web-1', undefined]);
  });

  it('are not created for endpoints that are going', () => {
    const world = new World();
    world.sync(endpoints(some, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(world.writes).to.equal(0);
  });

  it('keep their names when ports change', () => {
    const world = new World();
    world.sync(endpoints(some));
    const [before] = world.slices;
    world.sync(endpoints([subset(['192.0.2.1'], 81)]));
    expect([world.shown, world.slices[0]?.metadata.name]).to.deep.equal([
      ['IPv4 81: 192.0.2.1'],
      before?.metadata.name,
    ]);
  });

  it('have no more addresses than may be, and tell how many are missing', () => {
    const world = new World();
    world.sync(endpoints([subset(['192.0.2.1', '192.0.2.2', '192.0.2.3'])]), service(), 2);
    expect([world.shown, world.skipped]).to.deep.equal([['IPv4 80: 192.0.2.1,192.0.2.2'], 1]);
  });

  it('are written once, and are always those of their endpoints, whatever comes and goes', () => {
    const random = createRandomSource(testSeed);
    const world = new World();
    for (let round = 0; round < 300; round++) {
      const subsets = Array.from({ length: random.below(4) }, (_, at) =>
        subset(
          Array.from({ length: random.below(6) }, () => `192.0.2.${random.below(9)}`),
          80 + at,
        ),
      );
      world.sync(endpoints(subsets));
      const expected = subsets
        .filter(({ addresses }) => addresses.length > 0)
        .map(({ addresses, ports }) => {
          const ips = [...new Set(addresses.map(({ ip }) => ip))].sort();
          return `IPv4 ${ports[0]?.port}: ${ips}`;
        });
      expect(world.shown).to.deep.equal(expected.sort());
      world.sync(endpoints([...subsets].reverse()));
      expect(world.writes).to.equal(0);
    }
  });
});
