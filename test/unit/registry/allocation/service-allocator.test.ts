import { expect } from 'chai';
import { decodeStored } from '../../../../src/registry/index.ts';
import { StorageError } from '../../../../src/storage/index.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { expectStatus, statusOf } from '../../../support/expect-status.ts';
import { service } from '../../../support/objects.ts';
import { TestRegistry } from '../../../support/registry.ts';

const services = 'v1/services';
/** Two addresses, 10.0.0.1 and 10.0.0.2, and two ports. */
const small = { serviceRange: '10.0.0.0/30', ports: { first: 30000, last: 30001 } };

describe('ServiceAllocator', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open(small);
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const create = (name: string, spec: JsonObject = {}, isDryRun = false) =>
    registry.create(services, service(name, spec), { isDryRun });
  const addressOf = (object: JsonObject): string => object.spec.clusterIP;
  const portOf = (object: JsonObject): number => object.spec.ports[0].nodePort;

  it('gives each service an address, in both fields', async () => {
    const { spec } = await create('a');
    expect(spec).to.include({ clusterIP: '10.0.0.1' });
    expect(spec.clusterIPs).to.deep.equal(['10.0.0.1']);
    expect(addressOf(await create('b'))).to.equal('10.0.0.2');
  });

  it('gives none to services that want none', async () => {
    expect(addressOf(await create('a', { clusterIP: 'None' }))).to.equal('None');
    expect(
      (await create('b', { type: 'ExternalName', externalName: 'x.example' })).spec,
    ).not.to.have.property('clusterIP');
  });

  it('never gives an address twice to services that are made at the same time', async () => {
    await using wide = await TestRegistry.open();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, n) => wide.create(services, service(`s${n}`, { type: 'NodePort' }))),
    );
    expect(new Set(made.map(addressOf)).size).to.equal(100);
    expect(new Set(made.map(portOf)).size).to.equal(100);
  });

  it('refuses when nothing is left, and gives again what is released', async () => {
    await create('a');
    await create('b');
    await expectStatus(create('c'), {
      code: 500,
      reason: 'InternalError',
      message: 'Internal error occurred: failed to allocate a serviceIP: range is full',
    });
    await registry.remove(services, 'b');
    expect(addressOf(await create('c'))).to.equal('10.0.0.2');
  });

  describe('takes an address that a client names', () => {
    it('when it is free', async () => {
      expect(addressOf(await create('a', { clusterIP: '10.0.0.2' }))).to.equal('10.0.0.2');
    });

    const refused: [name: string, address: string, why: string][] = [
      ['taken', '10.0.0.1', 'provided IP is already allocated'],
      [
        'outside of the range',
        '10.9.9.9',
        'provided IP is not in the valid range. The range of valid IPs is 10.0.0.0/30',
      ],
      [
        'the network’s own',
        '10.0.0.0',
        'provided IP is not in the valid range. The range of valid IPs is 10.0.0.0/30',
      ],
    ];
    for (const [name, address, why] of refused) {
      it(`but not when it is ${name}`, async () => {
        await create('a');
        await expectStatus(create('b', { clusterIP: address }), {
          code: 422,
          message: `Service "b" is invalid: spec.clusterIPs: Invalid value: []string{"${address}"}: failed to allocated ip:${address} with error:${why}`,
        });
        expect(addressOf(await create('c'))).to.equal('10.0.0.2');
      });
    }
  });

  describe('gives back what a failed create took', () => {
    const whole = async () => {
      const made = [await create('x', { type: 'NodePort' }), await create('y', { type: 'NodePort' })];
      expect(made.map(addressOf)).to.deep.equal(['10.0.0.1', '10.0.0.2']);
      expect(made.map(portOf)).to.deep.equal([30000, 30001]);
    };

    it('when the name is taken', async () => {
      await create('a', { clusterIP: 'None' });
      await expectStatus(create('a', { type: 'NodePort' }), { code: 409 });
      await whole();
    });

    it('when storage fails', async () => {
      registry.storage.interruptNextWrite(() => {
        throw new StorageError('unavailable', 'gone');
      });
      await expectStatus(create('a', { type: 'NodePort' }), { code: 503 });
      await whole();
    });

    it('when a later part of it cannot be given', async () => {
      const ports = [
        { name: 'one', port: 1 },
        { name: 'two', port: 2, nodePort: 40000 },
      ];
      const status = await statusOf(create('a', { type: 'NodePort', ports }));
      expect(status.details?.causes?.map(({ field, message }) => [field, message])).to.deep.equal([
        [
          'spec.ports[1].nodePort',
          'Invalid value: 40000: provided port is not in the valid range. The range of valid ports is 30000-30001',
        ],
      ]);
      await whole();
    });

    it('when it was a dry run', async () => {
      const shown = await create(
        'a',
        {
          type: 'NodePort',
          ports: [
            { name: 'a', port: 1 },
            { name: 'b', port: 2 },
          ],
        },
        true,
      );
      expect(addressOf(shown)).to.equal(undefined);
      expect(shown.spec.ports.map(({ nodePort }: JsonObject) => nodePort)).to.deep.equal([32769, 32770]);
      await whole();
    });

    it('when it was a dry run that names what nobody could get', async () => {
      const spec = { type: 'NodePort', clusterIP: '192.168.0.1', ports: [{ port: 80, nodePort: 1 }] };
      const shown = await create('a', spec, true);
      expect(addressOf(shown)).to.equal('192.168.0.1');
      expect(portOf(shown)).to.equal(1);
      await whole();
    });

    it('when it was a dry run that names twice what nobody could get', async () => {
      const ports = ['a', 'b'].map((name, at) => ({
        name,
        port: at + 1,
        nodePort: 1,
        protocol: at ? 'UDP' : 'TCP',
      }));
      const status = await statusOf(create('a', { type: 'NodePort', ports }, true));
      expect(status.details?.causes?.map(({ field, message }) => [field, message])).to.deep.equal([
        ['spec.ports[1].nodePort', 'Invalid value: 1: provided port is already allocated'],
      ]);
    });
  });

  describe('on an update', () => {
    const change = (spec: JsonObject, isDryRun = false) =>
      registry.change(services, 'a', (object) => Object.assign(object.spec, spec), { isDryRun });

    it('gives ports to a service that comes to need them, and takes them back', async () => {
      await create('a');
      expect(portOf(await change({ type: 'NodePort' }))).to.equal(30000);
      expect(portOf(await change({ type: 'ClusterIP', ports: [{ port: 80 }] }))).to.equal(undefined);
      expect(portOf(await create('b', { type: 'NodePort' }))).to.equal(30000);
    });

    it('gives an address to a service that comes to need one, and takes it back', async () => {
      await create('a', { type: 'ExternalName', externalName: 'x.example' });
      expect(addressOf(await change({ type: 'ClusterIP', externalName: undefined }))).to.equal('10.0.0.1');
      const named = { type: 'ExternalName', externalName: 'x.example', clusterIP: '', clusterIPs: undefined };
      await change(named);
      expect(addressOf(await create('b'))).to.equal('10.0.0.1');
    });

    it('keeps nothing of a dry run', async () => {
      await create('a');
      await change({ type: 'NodePort' }, true);
      expect(portOf(await create('b', { type: 'NodePort' }))).to.equal(30000);
    });

    it('keeps nothing of an attempt that lost a race', async () => {
      await create('a');
      registry.storage.interruptNextWrite(() =>
        registry.change(services, 'a', ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } })),
      );
      const updated = await registry.change(services, 'a', (object) => {
        object.metadata.resourceVersion = '0';
        object.spec.type = 'NodePort';
      });
      expect(portOf(updated)).to.equal(30000);
      expect(portOf(await create('b', { type: 'NodePort' }))).to.equal(30001);
    });

    it('leaves what the service has alone', async () => {
      const created = await create('a', { type: 'NodePort' });
      const updated = await change({ sessionAffinity: 'ClientIP' });
      expect([addressOf(updated), portOf(updated)]).to.deep.equal([addressOf(created), portOf(created)]);
    });
  });

  it('refuses a node port when none is left, and changes nothing', async () => {
    const before = await create('a', { type: 'NodePort' });
    await create('b', { type: 'NodePort' });
    const ports = [before.spec.ports[0], { port: 81 }].map((port, n) => ({ ...port, name: `p${n}` }));
    const update = registry.change(services, 'a', ({ spec }) => Object.assign(spec, { ports }));
    await expectStatus(update, {
      code: 500,
      message: 'Internal error occurred: failed to allocate a nodePort: range is full',
    });
    expect(await registry.stored(services, 'a')).to.deep.equal(before);
  });

  it('releases what a service held that finalizers kept for a while', async () => {
    await registry.create(services, {
      ...service('a', { type: 'NodePort' }),
      metadata: { name: 'a', finalizers: ['example.com/f'] },
    });
    await registry.remove(services, 'a');
    expect(addressOf(await create('b'))).to.equal('10.0.0.2');
    await registry.change(services, 'a', ({ metadata }) => {
      metadata.finalizers = [];
    });
    const next = await create('c', { type: 'NodePort' });
    expect([addressOf(next), portOf(next)]).to.deep.equal(['10.0.0.1', 30000]);
  });

  describe('adopts', () => {
    const adopt = (target: TestRegistry) => {
      const { store } = target.served(services);
      for (const object of store.cache.list({ prefix: store.keyPrefix }).objects) {
        target.allocator.adopt(decodeStored(object));
      }
    };

    it('what services of earlier runs hold', async () => {
      await create('a', { type: 'NodePort' });
      await using restarted = await TestRegistry.open({ ...small, storage: registry.storage });
      adopt(restarted);
      const next = await restarted.create(services, service('b', { type: 'NodePort' }));
      expect([addressOf(next), portOf(next)]).to.deep.equal(['10.0.0.2', 30001]);
    });

    it('services of another range without giving away less of this one', async () => {
      await create('a', { type: 'NodePort' });
      const other = { serviceRange: '10.1.0.0/30', ports: { first: 31000, last: 31001 } };
      await using restarted = await TestRegistry.open({ ...other, storage: registry.storage });
      adopt(restarted);
      for (const name of ['b', 'c']) {
        await restarted.create(services, service(name, { type: 'NodePort' }));
      }
    });
  });
});
