import { expect } from 'chai';
import type { Node, Pod, Service } from '../../../../src/apis/types/core-v1.ts';
import type { EndpointSlice } from '../../../../src/apis/types/discovery-v1beta1.ts';
import { decideSlices } from '../../../../src/controllers/endpoint-slices/decide.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const service = (spec: object = {}, metadata: object = {}) =>
  ({
    metadata: { name: 'web', namespace: 'n', uid: 's', labels: { tier: 'front' }, ...metadata },
    spec: { clusterIP: '10.0.0.1', ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }], ...spec },
  }) as unknown as Service;
const pod = (
  name: string,
  { isReady = true, metadata = {}, ip = `10.1.0.${name}`, podIPs = undefined as object[] | undefined } = {},
) =>
  ({
    metadata: { name, namespace: 'n', uid: name, ...metadata },
    spec: { nodeName: 'node', restartPolicy: 'Always', containers: [] },
    status: {
      podIP: ip,
      ...(podIPs && { podIPs }),
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    },
  }) as unknown as Pod;
const node = { metadata: { labels: { 'topology.orch.io/zone': 'z' } } } as unknown as Node;

/** The slices of a service, as a server keeps them. */
class World {
  slices: EndpointSlice[] = [];
  writes = 0;
  #names = 0;

  sync(of: Service, pods: readonly Pod[], maxEndpoints = 100): void {
    const { slices } = this;
    const { creations, updates, deletions } = decideSlices({
      ...{ service: of, pods, slices, maxEndpoints, dialect },
      nodeOf: (name) => (name === 'node' ? node : undefined),
    });
    this.writes = creations.length + updates.length + deletions.length;
    const gone = new Set(deletions.map(({ metadata }) => metadata.name));
    const changed = new Map(updates.map((slice) => [slice.metadata.name, slice]));
    this.slices = slices
      .filter(({ metadata }) => !gone.has(metadata.name))
      .map((slice) => changed.get(slice.metadata.name) ?? slice);
    for (const slice of creations) {
      const name = `${slice.metadata.generateName}${++this.#names}`;
      this.slices.push({ ...slice, metadata: { ...slice.metadata, name } });
    }
  }

  get targets(): string[] {
    return this.slices
      .flatMap(({ endpoints }) => (endpoints ?? []).map(({ targetRef }) => targetRef?.name ?? ''))
      .sort();
  }
}

describe('the slices of a service', () => {
  it('name its pods, where they are, and whether they are ready', () => {
    const world = new World();
    world.sync(service(), [pod('1'), pod('2', { isReady: false })]);
    const [slice] = world.slices;
    expect(slice?.metadata.labels).to.deep.equal({
      tier: 'front',
      'orch.io/service-name': 'web',
      'endpointslice.orch.io/managed-by': 'endpointslice-controller.orch.io',
    });
    expect(slice?.ports).to.deep.equal([{ name: '', protocol: 'TCP', port: 8080 }]);
    expect(
      slice?.endpoints?.map(({ addresses, conditions, topology }) => [addresses, conditions, topology]),
    ).to.deep.equal(
      [true, false].map((ready, at) => [
        [`10.1.0.${at + 1}`],
        { ready },
        { 'orch.io/hostname': 'node', 'topology.orch.io/zone': 'z' },
      ]),
    );
  });

  it('are one empty one for a service without pods, which stays', () => {
    const world = new World();
    for (const pods of [[], [pod('1')], []]) world.sync(service(), pods);
    expect(world.slices.map(({ endpoints, ports }) => [endpoints, ports])).to.deep.equal([[null, null]]);
    world.sync(service(), []);
    expect(world.writes).to.equal(0);
  });

  it('are for both kinds of addresses when it is headless and does not say', () => {
    const world = new World();
    world.sync(service({ clusterIP: 'None' }), [pod('1'), pod('2', { ip: 'fd00::2' })]);
    expect(
      world.slices.map(({ addressType, endpoints }) => [addressType, endpoints?.[0]?.addresses?.[0]]),
    ).to.deep.equal([
      ['IPv4', '10.1.0.1'],
      ['IPv6', 'fd00::2'],
    ]);
    expect(world.slices[0]?.metadata.labels).to.have.property('service.orch.io/headless', '');
  });

  it('have the addresses of a pod of both kinds', () => {
    const world = new World();
    const podIPs = [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }];
    world.sync(service({ ipFamilies: ['IPv4', 'IPv6'] }), [pod('1', { podIPs })]);
    expect(
      world.slices.map(({ addressType, endpoints }) => [addressType, endpoints?.[0]?.addresses]),
    ).to.deep.equal([
      ['IPv4', ['10.1.0.1']],
      ['IPv6', ['fd00::1']],
    ]);
  });

  it('keep their names when pods come and go, and when ports change', () => {
    const world = new World();
    const names: (string | undefined)[][] = [];
    for (const [port, pods] of [
      [8080, []],
      [8080, [pod('1')]],
      [8081, [pod('1')]],
      [8081, []],
    ] as const) {
      world.sync(service({ ports: [{ port: 80, targetPort: port, protocol: 'TCP' }] }), pods);
      names.push(world.slices.map(({ metadata }) => metadata.name));
    }
    expect(names).to.deep.equal([['web-1'], ['web-1'], ['web-1'], ['web-1']]);
  });

  it('of an earlier service of the name go, and do not become those of this one', () => {
    const world = new World();
    world.sync(service({}, { uid: 'earlier' }), [pod('1')]);
    world.sync(service(), [pod('1')]);
    expect(world.slices.map(({ metadata }) => metadata.name)).to.deep.equal(['web-2']);
  });

  it('are not created for a service that is going', () => {
    const world = new World();
    world.sync(service({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), [pod('1')]);
    expect(world.writes).to.equal(0);
  });

  it('cannot be told of a pod whose node is not there', () => {
    const lost = pod('1');
    Object.assign(lost.spec, { nodeName: 'lost' });
    expect(() => new World().sync(service(), [lost])).to.throw('node "lost" not found');
  });

  describe('with room', () => {
    const range = (from: number, to: number): Pod[] =>
      Array.from({ length: to - from }, (_, at) => pod(String(from + at)));
    /** What slices had, which pods come after them, and what slices have then, with how many writes. */
    const cases: readonly (readonly [string, number[], number, number[], number])[] = [
      ['fill up one that has room for all', [30, 20], 50, [20, 80], 1],
      ['fill up the fullest that has room', [62, 62], 26, [62, 88], 1],
      ['stay, where new ones are full', [62, 62], 100, [62, 62, 100], 1],
      ['take the rest only', [62, 62], 126, [62, 88, 100], 2],
      ['stay, where none has room for the rest', [90, 90], 15, [15, 90, 90], 1],
    ];
    for (const [what, before, added, after, writes] of cases) {
      it(what, () => {
        const world = new World();
        // Full slices, of which only some pods stay.
        world.sync(service(), range(0, 100 * before.length));
        const kept = before.flatMap((size, at) => range(100 * at, 100 * at + size));
        world.sync(service(), kept);
        world.sync(service(), [...kept, ...range(1000, 1000 + added)]);
        const sizes = world.slices.map(({ endpoints }) => (endpoints ?? []).length);
        expect([sizes.sort((a, b) => a - b), world.writes]).to.deep.equal([after, writes]);
      });
    }

    it('fill up the fullest of those that are written anyway', () => {
      const world = new World();
      const [first, second] = [range(0, 100), range(100, 200)];
      world.sync(service(), first);
      world.sync(service(), [...first, ...second]);
      world.sync(service(), [...first.slice(0, 80), ...second.slice(0, 90), ...range(200, 215)]);
      expect(world.slices.map(({ endpoints }) => (endpoints ?? []).length)).to.deep.equal([85, 100]);
    });
  });

  it('have each pod once, no more than fit, and nothing is written twice, whatever comes and goes', () => {
    const random = createRandomSource(testSeed);
    const world = new World();
    let names: number[] = [];
    for (let round = 0; round < 200; round++) {
      names = names.filter(() => random.below(4) > 0);
      for (let added = random.below(8); added > 0; added--) names.push(round * 10 + added);
      const pods = names.map((name) => pod(String(name), { isReady: random.below(2) === 0 }));
      world.sync(service(), pods, 5);
      expect(world.targets).to.deep.equal(names.map(String).sort());
      expect(world.slices.every(({ endpoints }) => (endpoints ?? []).length <= 5)).to.equal(true);
      world.sync(service(), [...pods].reverse(), 5);
      expect(world.writes).to.equal(0);
    }
  });

  it('take over labels of the service, and versions of pods, but no change that is none', () => {
    const world = new World();
    world.sync(service(), [pod('1')]);
    world.sync(service(), [pod('1', { metadata: { resourceVersion: '9' } })]);
    expect(world.writes).to.equal(1);
    world.sync(service({ clusterIP: undefined, ipFamilies: ['IPv4'] }), [
      pod('1', { metadata: { resourceVersion: '9' } }),
    ]);
    expect(world.writes, 'without an address').to.equal(0);
    world.sync(service({}, { labels: { tier: 'back' } }), [pod('1')]);
    expect([world.writes, world.slices[0]?.metadata.labels?.tier]).to.deep.equal([1, 'back']);
  });
});
