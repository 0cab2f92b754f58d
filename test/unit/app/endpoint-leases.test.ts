import { expect } from 'chai';
import { endpointLeases, keepEndpointLease } from '../../../src/app/endpoint-leases.ts';
import { silentLogger } from '../../../src/base/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const root = '/registry/';
const turn = () => new Promise(setImmediate);

describe('endpointLeases', () => {
  let clock: ManualClock;
  let storage: Storage;
  beforeEach(() => {
    clock = new ManualClock();
    storage = openMemoryStorage({ clock });
  });
  afterEach(() => storage[Symbol.asyncDispose]());
  const leasesOf = (address: string) => endpointLeases({ storage, root, address });

  it('lists the servers that are alive', async () => {
    await leasesOf('192.0.2.2').renew();
    await leasesOf('192.0.2.1').renew();
    expect(await leasesOf('192.0.2.1').list()).to.deep.equal(['192.0.2.1', '192.0.2.2']);
  });

  it('forgets a server that gave no sign of life for 15 seconds', async () => {
    const [one, other] = [leasesOf('192.0.2.1'), leasesOf('192.0.2.2')];
    await Promise.all([one.renew(), other.renew()]);
    clock.advance(14_000);
    await one.renew();
    clock.advance(2000);
    await turn();
    expect(await one.list()).to.deep.equal(['192.0.2.1']);
  });

  it('stores a lease where the reference looks for it, in its form', async () => {
    await leasesOf('192.0.2.1').renew();
    const stored = await storage.get('/registry/masterleases/192.0.2.1');
    expect(JSON.parse(String(stored?.bytes))).to.deep.include({
      kind: 'Endpoints',
      apiVersion: 'v1',
      subsets: [{ addresses: [{ ip: '192.0.2.1' }] }],
    });
  });

  it('skips what names no server', async () => {
    await storage.create('/registry/masterleases/x', Buffer.from('{"metadata":{"resourceVersion":""}}'));
    expect(await leasesOf('192.0.2.1').list()).to.deep.equal([]);
  });
});

describe('keepEndpointLease', () => {
  it('shows who is alive every ten seconds, and who is left when it ends', async () => {
    const clock = new ManualClock();
    await using storage = openMemoryStorage({ clock });
    const own = endpointLeases({ storage, root, address: '192.0.2.1' });
    const other = endpointLeases({ storage, root, address: '192.0.2.2' });
    const shown: (readonly string[])[] = [];
    await own.renew();
    const end = keepEndpointLease(own, async (addresses) => void shown.push(addresses), {
      clock,
      logger: silentLogger,
    });
    await other.renew();
    clock.advance(10_000);
    await turn();
    expect(shown).to.deep.equal([['192.0.2.1', '192.0.2.2']]);
    await end();
    expect(shown.at(-1)).to.deep.equal(['192.0.2.2']);
  });

  it('never shows that nobody is there', async () => {
    const clock = new ManualClock();
    await using storage = openMemoryStorage({ clock });
    const own = endpointLeases({ storage, root, address: '192.0.2.1' });
    await own.renew();
    const shown: (readonly string[])[] = [];
    const show = async (addresses: readonly string[]) => void shown.push(addresses);
    await keepEndpointLease(own, show, { clock, logger: silentLogger })();
    expect(shown).to.deep.equal([]);
    expect(await own.list()).to.deep.equal([]);
  });
});
