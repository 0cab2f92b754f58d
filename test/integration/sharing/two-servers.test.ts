import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import type { WatchReader, WireEvent } from '../../support/watch-reader.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';
const apiEndpoints = '/api/v1/namespaces/default/endpoints/orch';
const lease = '/apis/coordination.orch.io/v1/namespaces/orch-system/leases/orch-controllers';

const workers = 40;
/** Writes of each worker: 10,000 in all, each followed by a read through the other server. */
const rounds = 250;

describe('two servers on one etcd', function () {
  this.timeout(120_000);
  let etcd: EtcdCluster;
  let one: ServerProcess;
  let other: ServerProcess;

  const start = (address: string) =>
    startServerProcess([
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      `--advertise-address=${address}`,
      '--service-cluster-ip-range=10.0.0.0/20',
      '--disable-admission-plugins=ServiceAccount',
      '--leader-elect-lease-duration=3s',
      '--leader-elect-renew-deadline=2s',
      '--leader-elect-retry-period=300ms',
    ]);

  before(async () => {
    etcd = await startEtcd();
    // At the same time: each makes what every server has, and finds what the other made.
    [one, other] = await Promise.all([start('192.0.2.1'), start('192.0.2.2')]);
  });
  after(async () => {
    await one?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  const map = (name: string, data: JsonObject) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  });

  it('shows through each server what was just written through the other, and all of it to watches', async () => {
    const watched = await other.admin.watch(configMaps, {
      resourceVersion: (await other.admin.expect('GET', configMaps)).metadata.resourceVersion,
    });
    const work = async (worker: number): Promise<void> => {
      const path = `${configMaps}/w${worker}`;
      for (let round = 0; round < rounds; round++) {
        const [writer, reader] = round % 2 === 0 ? [one.admin, other.admin] : [other.admin, one.admin];
        const body = map(`w${worker}`, { round: String(round) });
        if (round === 0) await writer.create(configMaps, body);
        else await writer.expect('PUT', path, { body });
        const found = await reader.expect('GET', path);
        expect(found.data.round).to.equal(String(round));
        if (round % 100 === 99) {
          const { items } = await reader.expect('GET', configMaps);
          const listed = items.find(({ metadata }: JsonObject) => metadata.name === `w${worker}`);
          expect(listed.data.round).to.equal(String(round));
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    const seen = await takeOwn(watched, workers * rounds);
    watched.close();
    const next = new Map<string, number>();
    let last = 0;
    for (const { object } of seen) {
      const { name, resourceVersion } = object.metadata;
      expect(Number(object.data.round)).to.equal(next.get(name) ?? 0);
      expect(Number(resourceVersion)).to.be.greaterThan(last);
      next.set(name, Number(object.data.round) + 1);
      last = Number(resourceVersion);
    }
  });

  /** So many events of the workers' objects: controllers may make others beside them. */
  const takeOwn = async (watch: WatchReader, count: number): Promise<readonly WireEvent[]> => {
    const isOwn = ({ object }: WireEvent): boolean => /^w\d+$/.test(object.metadata.name);
    for (let wanted = count; ; ) {
      const own = (await watch.take(wanted)).filter(isOwn);
      if (own.length >= count) return own;
      wanted += count - own.length;
    }
  };

  it('lets a client delete and make again through one what it made through the other', async () => {
    for (let round = 0; round < 50; round++) {
      const [first, second] = round % 2 === 0 ? [one.admin, other.admin] : [other.admin, one.admin];
      await first.create(configMaps, map('again', { round: String(round) }));
      await second.expect('DELETE', `${configMaps}/again`);
      expect((await first.get(`${configMaps}/again`)).code).to.equal(404);
    }
  });

  it('finds a namespace of the other server at once', async () => {
    for (let round = 0; round < 20; round++) {
      const [first, second] = round % 2 === 0 ? [one.admin, other.admin] : [other.admin, one.admin];
      await first.create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: `ns${round}` },
      });
      await second.create(`/api/v1/namespaces/ns${round}/configmaps`, map('a', {}));
    }
  });

  it('loses no update of an object that is changed through both', async () => {
    await one.admin.create(configMaps, map('counter', { count: '0' }));
    const path = `${configMaps}/counter`;
    const increment = async (client: ApiClient): Promise<void> => {
      for (;;) {
        const body = await client.expect('GET', path);
        body.data.count = String(Number(body.data.count) + 1);
        const { code } = await client.send('PUT', path, { body });
        if (code === 200) return;
        expect(code).to.equal(409);
      }
    };
    const count = async (client: ApiClient): Promise<void> => {
      for (let n = 0; n < 50; n++) await increment(client);
    };
    await Promise.all([one, one, other, other].map(({ admin }) => count(admin)));
    const { data } = await other.admin.expect('GET', path);
    expect(data.count).to.equal('200');
  });

  it('gives each service another address and node port', async () => {
    const made = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        (n % 2 === 0 ? one : other).admin.create(services, {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: `s${n}` },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        }),
      ),
    );
    expect(new Set(made.map(({ spec }) => spec.clusterIP)).size).to.equal(500);
    expect(new Set(made.map(({ spec }) => spec.ports[0].nodePort)).size).to.equal(500);
    const { clusterIP } = made[0]?.spec ?? {};
    const spec = { clusterIP, ports: [{ port: 80 }] };
    const twin = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'twin' }, spec };
    expect((await other.admin.send('POST', services, { body: twin })).body.message).to.include(
      'provided IP is already allocated',
    );
    await one.admin.expect('DELETE', `${services}/s0`);
    await other.admin.create(services, twin);
  });

  const addresses = async (client: ApiClient): Promise<string> => {
    const { subsets } = await client.expect('GET', apiEndpoints);
    return subsets[0].addresses.map(({ ip }: JsonObject) => ip).join();
  };
  const shows = (client: ApiClient, expected: string) =>
    eventually(async () => ((await addresses(client)) === expected ? true : undefined));

  it('names in its endpoints the servers that are there', async () => {
    const third = await start('192.0.2.3');
    expect(await addresses(one.admin)).to.equal('192.0.2.1,192.0.2.2,192.0.2.3');
    await third.stop();
    await shows(one.admin, '192.0.2.1,192.0.2.2');
  });

  it('goes on in each server with the paged lists of the other', async () => {
    const metadata = { name: 'paged' };
    await one.admin.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    const secrets = '/api/v1/namespaces/paged/secrets';
    for (const name of ['a', 'b', 'c'])
      await one.admin.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });
    const path = `${secrets}?fieldSelector=type%3DOpaque&limit=1`;
    const names: string[] = [];
    let token = '';
    for (const { admin } of [one, other, one]) {
      const page = await admin.expect('GET', `${path}&continue=${token}`);
      names.push(page.items[0].metadata.name);
      token = page.metadata.continue ?? '';
    }
    expect(names).to.deep.equal(['a', 'b', 'c']);
  });

  it('runs controllers in one of them, and in the other once that is dead', async () => {
    const leads = ({ log }: ServerProcess): boolean => log.includes('leader election won');
    expect([one, other].filter(leads)).to.have.length(1);
    const { spec } = await one.admin.expect('GET', lease);
    expect(spec.holderIdentity).to.be.a('string').that.is.not.equal('');
    const [leader, follower] = leads(one) ? [one, other] : [other, one];
    await leader.kill();
    await eventually(async () => (leads(follower) ? true : undefined));
    await follower.admin.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'after' },
    });
    await eventually(async () => {
      const { code } = await follower.admin.get('/api/v1/namespaces/after/serviceaccounts/default');
      return code === 200 ? true : undefined;
    });
  });
});
