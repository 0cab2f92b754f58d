import { expect } from 'chai';
import { definitionsPath, establish, widget, widgetDefinition } from '../../support/definitions.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';

describe('definitions of two servers on one etcd', function () {
  this.timeout(60_000);
  let etcd: EtcdCluster;
  let servers: readonly ServerProcess[];

  before(async () => {
    etcd = await startEtcd();
    const start = (address: string) =>
      startServerProcess([
        `--etcd-servers=${etcd.endpoints.join(',')}`,
        `--advertise-address=${address}`,
        '--apiserver-count=2',
        '--controllers=none',
        '--disable-admission-plugins=ServiceAccount',
      ]);
    servers = await Promise.all([start('192.0.2.1'), start('192.0.2.2')]);
  });
  after(async () => {
    for (const server of servers ?? []) await server[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  it('are served by each of them as soon as one says that they are established', async () => {
    for (let round = 0; round < 20; round++) {
      const [one, other] = round % 2 === 0 ? servers : servers.toReversed();
      if (one === undefined || other === undefined) throw new Error('two servers are needed');
      const group = `round${round}.example.com`;
      await establish(one.admin, widgetDefinition(group));
      const path = `/apis/${group}/v1/namespaces/default/widgets`;
      const { code, text } = await other.admin.send('POST', path, { body: widget(group, 'a') });
      expect(code, text).to.equal(201);
      expect((await one.admin.get(`${path}/a`)).code).to.equal(200);
    }
  });

  it('come into discovery of the other, and go from there', async () => {
    const [one, other] = servers;
    if (one === undefined || other === undefined) throw new Error('two servers are needed');
    const group = 'seen.example.com';
    await establish(one.admin, widgetDefinition(group));
    await eventually(async () => (await other.admin.get(`/apis/${group}/v1`)).code === 200 || undefined);
    await one.admin.send('DELETE', `${definitionsPath}/widgets.${group}`);
    await eventually(async () => (await other.admin.get(`/apis/${group}/v1`)).code === 404 || undefined);
  });
});
