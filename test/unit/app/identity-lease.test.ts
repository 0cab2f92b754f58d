import { expect } from 'chai';
import { collectIdentityLeases, keepIdentityLease } from '../../../src/app/identity-lease.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { createDialect, orchDialect } from '../../../src/machinery/dialect.ts';
import { namesOf, parse, TestRegistry } from '../../support/registry.ts';

const leases = 'coordination.orch.io/v1/leases';
const namespace = 'orch-system';
const label = { 'orch.io/component': 'orch-apiserver' };
const turn = async () => {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate);
};

describe('identity leases of servers', () => {
  const open = async () => {
    const registry = await TestRegistry.open();
    const { stores, clock } = registry;
    const given = {
      stores,
      dialect: orchDialect,
      durationSeconds: 60,
      renewIntervalSeconds: 10,
      clock,
      logger: silentLogger,
    };
    const list = async () =>
      (await registry.list(leases, { namespace })).objects.map(({ bytes }) => parse(bytes));
    return { registry, given, list, clock };
  };

  it('say who is there, are renewed, and stay at the end', async () => {
    const { registry, given, list, clock } = await open();
    const end = await keepIdentityLease(given);
    const [lease] = await list();
    expect(lease?.metadata.name).to.match(/^orch-apiserver-[0-9a-f-]{36}$/);
    expect(lease?.metadata.labels).to.deep.equal(label);
    expect(lease?.spec).to.deep.equal({
      holderIdentity: lease?.metadata.name,
      leaseDurationSeconds: 60,
      renewTime: '1970-01-01T00:00:00.000000Z',
    });
    clock.advance(10_000);
    await turn();
    expect((await list())[0]?.spec.renewTime).to.equal('1970-01-01T00:00:10.000000Z');
    await registry.remove(leases, String(lease?.metadata.name), {}, { namespace });
    clock.advance(10_000);
    await turn();
    expect(await list()).to.have.lengthOf(1);
    await end();
    clock.advance(60_000);
    expect((await list())[0]?.spec.renewTime).to.equal('1970-01-01T00:00:20.000000Z');
    await registry[Symbol.asyncDispose]();
  });

  it('are collected when they have expired, those of others only', async () => {
    const { registry, given, clock } = await open();
    const make = (name: string, spec: object, labels: object = label) =>
      registry.create(
        leases,
        { kind: 'Lease', apiVersion: 'coordination.orch.io/v1', metadata: { name, labels }, spec },
        { namespace },
      );
    const renewTime = '1970-01-01T00:00:00.000000Z';
    await make('dead', { leaseDurationSeconds: 59, renewTime });
    await make('live', { leaseDurationSeconds: 61, renewTime });
    await make('timeless', { leaseDurationSeconds: 61 });
    await make('endless', { renewTime });
    await make('other', { leaseDurationSeconds: 1, renewTime }, {});
    const ending = new AbortController();
    const done = collectIdentityLeases(given)(ending.signal);
    clock.advance(60_000);
    await turn();
    expect(namesOf(await registry.list(leases, { namespace }))).to.deep.equal(['live', 'other']);
    ending.abort();
    await done;
    await registry[Symbol.asyncDispose]();
  });

  it('have the label of the reference in its dialect', () => {
    const { spell } = createDialect('kubernetes');
    expect([spell('orch.io/component'), spell('orch-apiserver')]).to.deep.equal([
      'k8s.io/component',
      'kube-apiserver',
    ]);
  });
});
