import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');

describe('versions of lists over HTTP', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({ flags: ['--etcd-compaction-interval=400ms'] });
    admin = server.admin;
    for (const name of ['a', 'b', 'c']) await admin.create(maps, configMap(name));
  });
  after(() => server.stop());

  const end = 'orch.io/initial-events-end';
  const streaming = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };

  it('are streamed as events that a bookmark ends', async () => {
    const watch = await admin.watch(maps, { ...streaming, allowWatchBookmarks: 'true' });
    await watch.take(4);
    await admin.create(maps, configMap('d'));
    const events = await watch.take(5);
    watch.close();
    expect(
      events.map(({ type, object }) => [type, object.metadata.name ?? object.metadata.annotations?.[end]]),
    ).to.deep.equal([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
      ['ADDED', 'c'],
      ['BOOKMARK', 'true'],
      ['ADDED', 'd'],
    ]);
    const [last, bookmark, next] = events
      .slice(2)
      .map(({ object }) => Number(object.metadata.resourceVersion));
    expect(bookmark ?? 0).to.be.at.least(last ?? Infinity);
    expect(bookmark ?? Infinity).to.be.below(next ?? 0);
  });

  it('are streamed without it to those who want no bookmarks', async () => {
    const watch = await admin.watch(maps, { ...streaming, resourceVersion: '0' });
    await watch.take(3);
    await admin.create(maps, configMap('e'));
    await watch.take(5);
    watch.close();
    expect(watch.lines.join()).to.not.include('BOOKMARK');
  });

  it('are not streamed without saying how old they may be', async () => {
    const { code, body } = await admin.get(`${maps}?watch=1&sendInitialEvents=true`);
    expect(code).to.equal(422);
    expect(body.message).to.include(
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  });

  it('end for pages that come too late, with a token for the rest', async () => {
    const { continue: late } = (await admin.get(`${maps}?limit=1`)).body.metadata;
    let round = 0;
    const answer = await eventually(async () => {
      await admin.expect('PATCH', `${maps}/a`, {
        body: { data: { round: String(++round) } },
        contentType: 'application/merge-patch+json',
      });
      const page = await admin.get(`${maps}?limit=1&continue=${late}`);
      return page.code === 200 ? undefined : page;
    });
    expect(answer.body).to.deep.include({ code: 410, reason: 'Expired' });
    const rest = await admin.get(`${maps}?limit=1&continue=${answer.body.metadata.continue}`);
    expect([rest.code, rest.body.items[0].metadata.name]).to.deep.equal([200, 'b']);
  });

  it('that do not come are 504 after three seconds', async () => {
    const { code, headers, body } = await admin.get(`${maps}?resourceVersion=999999`);
    expect([code, headers['retry-after'], body.reason]).to.deep.equal([504, '1', 'Timeout']);
    expect(body.details.causes).to.deep.equal([
      { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
    ]);
  });
});
