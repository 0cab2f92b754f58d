import { expect } from 'chai';
import type { Node, Pod, Service } from '../../../../src/apis/types/core-v1.ts';
import type { EndpointSlice } from '../../../../src/apis/types/discovery-v1beta1.ts';
import { decideSlices } from '../../../../src/controllers/endpoint-slices/index.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const service = (spec: object = {}, metadata: object = {}) =>
  ({
    metadata: { name: 'web', namespace: 'n', uid: 's', labels: { tier: 'front' }, ...metadata },
    spec: { clusterIP: '10.0.0.1', ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }], ...spec },
  }) as unknown as Service;
const pod = (name: string, { isReady = true, metadata = {}, ip = `10.1.0.${name}` } = {}) =>
  ({
    metadata: { name, namespace: 'n', uid: name, ...metadata },
    spec: { nodeName: 'node', restartPolicy: 'Always', containers: [] },
    status: { podIP: ip, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
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
      ...{ service: of, pods, slices, maxEndpoints, dialect, nodeOf: () => node },
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
    expect(world.slices.map(({ endpoints, ports }) => [endpoints, ports])).to.deep.equal([[[], []]]);
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

  it('take over labels of the service, and no change that is none', () => {
    const world = new World();
    world.sync(service(), [pod('1')]);
    world.sync(service(), [pod('1', { metadata: { resourceVersion: '9' } })]);
    expect(world.writes).to.equal(0);
    world.sync(service({}, { labels: { tier: 'back' } }), [pod('1')]);
    expect([world.writes, world.slices[0]?.metadata.labels?.tier]).to.deep.equal([1, 'back']);
  });
});
