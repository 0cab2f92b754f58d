import { expect } from 'chai';
import type { ApiAnswer, ApiClient, JsonObject } from '../../support/api-client.ts';
import { splitMembers } from '../../support/etcd-leader.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { canMakeNetworks, type MemberNetworks, makeMemberNetworks } from '../../support/member-networks.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const workers = 6;
/** What clients may be answered while members fail: success, a conflict with what is there, or that they may retry. */
const allowedCodes: readonly number[] = [200, 201, 404, 409, 503, 504];

/** A client that raises a number in an object of its own, whatever fails, and reads it back through another server. */
class Counter {
  readonly unexpected: string[] = [];
  /** The last number that was acknowledged. */
  acknowledged = 0;
  readonly #name: string;
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(name: string, through: { readonly writer: ApiClient; readonly reader: ApiClient }) {
    this.#name = name;
    this.#running = this.#run(through);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run({ writer, reader }: { readonly writer: ApiClient; readonly reader: ApiClient }): Promise<void> {
    const path = `${configMaps}/${this.#name}`;
    for (let next = 1; !this.#isStopped; next++) {
      const current = await this.#send(writer, 'GET', path);
      if (current.code !== 200 && current.code !== 404) continue;
      const data = { count: String(next) };
      const metadata = { name: this.#name, resourceVersion: current.body.metadata?.resourceVersion };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      const isNew = current.code === 404;
      const answer = await this.#send(writer, isNew ? 'POST' : 'PUT', isNew ? configMaps : path, body);
      if (answer.code === 200 || answer.code === 201) this.acknowledged = next;
      const found = await this.#send(reader, 'GET', path);
      // Never older than what was acknowledged, wherever it is read.
      if (found.code === 404 ? this.acknowledged > 0 : countOf(found.body) < this.acknowledged)
        this.unexpected.push(`read ${found.text} after ${this.acknowledged}`);
    }
  }

  async #send(client: ApiClient, method: string, path: string, body?: JsonObject): Promise<ApiAnswer> {
    const answer = await client.send(method, path, { body });
    if (!allowedCodes.includes(answer.code)) this.unexpected.push(`${method} answered ${answer.text}`);
    return answer;
  }
}

/** The number in an object; of an answer that is none, one that is never too old. */
function countOf({ data }: JsonObject): number {
  return Number(data?.count ?? Number.POSITIVE_INFINITY);
}

describe('two servers on an etcd of which the network parts one member', function () {
  this.timeout(90_000);
  let networks: MemberNetworks | undefined;
  let etcd: EtcdCluster;
  const servers: ServerProcess[] = [];
  before(async function () {
    // Networks take the rights of root, which only the machines of the project's checks are sure to have.
    if (!canMakeNetworks()) this.skip();
    networks = makeMemberNetworks(3);
    etcd = await startEtcd({ memberCount: 3, networks: networks.members });
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
    networks?.[Symbol.dispose]();
  });

  it('answers as if nothing were wrong, or that clients may retry, and shows watches everything', async () => {
    const { leader, followers } = await splitMembers(etcd.members);
    const endpoints = [leader, ...followers].map(({ endpoint }) => endpoint);
    const start = (urls: readonly string[]) =>
      startServerProcess([
        `--etcd-servers=${urls.join(',')}`,
        '--disable-admission-plugins=ServiceAccount',
        '--controllers=none',
      ]);
    // The first of them uses the member that will be parted.
    servers.push(...(await Promise.all([start(endpoints), start([...endpoints].reverse())])));
    const [one, other] = servers.map(({ admin }) => admin);
    if (one === undefined || other === undefined) throw new Error('there are two');
    const { metadata } = await one.expect('GET', configMaps);
    const watch = await one.watch(configMaps, { resourceVersion: metadata.resourceVersion });
    const counters = Array.from({ length: workers }, (_, index) => {
      const [writer, reader] = index % 2 === 0 ? [one, other] : [other, one];
      return new Counter(`c${index}`, { writer, reader });
    });
    const progress = async (): Promise<void> => {
      const from = counters.map(({ acknowledged }) => acknowledged);
      await eventually(async () =>
        counters.every(({ acknowledged }, index) => acknowledged > (from[index] ?? 0) + 10)
          ? true
          : undefined,
      );
    };
    const network = networks?.members[etcd.members.indexOf(leader)];
    try {
      await progress();
      network?.cutOff();
      await progress();
      network?.heal();
      await progress();
    } finally {
      await Promise.all(counters.map((counter) => counter.stop()));
    }
    expect(counters.flatMap(({ unexpected }) => unexpected)).to.deep.equal([]);
    const { items } = await other.expect('GET', configMaps);
    const counts = new Map<string, number>(
      items.map((item: JsonObject) => [item.metadata.name, countOf(item)] as const),
    );
    for (const [index, { acknowledged }] of counters.entries())
      expect(counts.get(`c${index}`)).to.be.at.least(acknowledged);
    const latest = (): Map<string, number> =>
      new Map(watch.events.map(({ object }) => [object.metadata.name, countOf(object)] as const));
    await watch.until(() => [...counts].every(([name, count]) => latest().get(name) === count), 'all counts');
    const versions = watch.events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).to.deep.equal([...new Set(versions)].sort((a, b) => a - b));
    watch.close();
  });
});
