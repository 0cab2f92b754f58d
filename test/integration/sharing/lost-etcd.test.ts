import { expect } from 'chai';
import { startEtcd } from '../../support/etcd-process.ts';
import { startServerProcess } from '../../support/server-process.ts';

describe('a server whose etcd is lost', function () {
  this.timeout(60_000);

  it('tells clients when to try again, and serves them once etcd is back', async () => {
    await using etcd = await startEtcd();
    await using server = await startServerProcess([
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      '--advertise-address=192.0.2.1',
    ]);
    const { admin } = server;
    const path = '/api/v1/namespaces/default';
    const [member] = etcd.members;
    await member?.kill();
    const { code, headers, body } = await admin.get(path);
    expect([code, body.reason, headers['retry-after']]).to.deep.equal([503, 'ServiceUnavailable', '1']);
    expect(body.details).to.deep.equal({ retryAfterSeconds: 1 });
    await member?.restart();
    expect((await admin.get(path)).code).to.equal(200);
  });
});
