import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

describe('watches over HTTP', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  /** A new namespace for one test, and its config maps' path. */
  const freshMaps = async (namespace: string): Promise<string> => {
    await admin.create('/api/v1/namespaces', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: namespace },
    });
    return inNamespace(namespace, 'configmaps');
  };
  /** How many watches of config maps there are. */
  const countWatches = async (): Promise<number> => {
    const { text } = await admin.get('/metrics');
    return Number(/apiserver_registered_watchers\{[^}]*kind="ConfigMap"\} (\d+)/.exec(text)?.[1]);
  };
  const setData = (path: string, data: Record<string, string>) =>
    admin.expect('PATCH', path, { body: { data }, contentType: 'application/merge-patch+json' });
  const setLabel = (path: string, colour: string | null) =>
    admin.expect('PATCH', path, {
      body: { metadata: { labels: { colour } } },
      contentType: 'application/merge-patch+json',
    });

  it('start with what is there and go on with each change', async () => {
    const maps = await freshMaps('watch-state');
    await admin.create(maps, configMap('a'));
    const watch = await admin.watch(maps);
    await watch.take(1);
    const created = await admin.create(maps, configMap('b', { n: '1' }));
    const changed = await setData(`${maps}/b`, { n: '2' });
    await admin.expect('DELETE', `${maps}/b`);
    const events = await watch.take(4);
    expect(watch.lines).to.deep.equal(['ADDED a', 'ADDED b', 'MODIFIED b', 'DELETED b']);
    expect(events[1]?.object).to.deep.equal(created);
    expect(events[2]?.object).to.deep.equal(changed);
    expect(events[3]?.object.data).to.deep.equal({ n: '2' });
    expect(Number(events[3]?.object.metadata.resourceVersion)).to.be.above(
      Number(changed.metadata.resourceVersion),
    );
    watch.close();
  });

  it('from a version show what came after it, nothing else', async () => {
    const maps = await freshMaps('watch-version');
    await admin.create(maps, configMap('before'));
    const { metadata } = (await admin.get(maps)).body;
    await admin.create(maps, configMap('after'));
    const watch = await admin.watch(maps, { resourceVersion: metadata.resourceVersion });
    await watch.take(1);
    expect(watch.lines).to.deep.equal(['ADDED after']);
    watch.close();
  });

  it('resume without gap or repetition from the last version seen', async () => {
    const maps = await freshMaps('watch-resume');
    let seen = (await admin.get(maps)).body.metadata.resourceVersion as string;
    const names: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 4; n++) await admin.create(maps, configMap(`m-${round}-${n}`));
      const watch = await admin.watch(maps, { resourceVersion: seen });
      // Leaves in the middle of what is there, as a client that loses its connection does.
      const events = await watch.take(3);
      watch.close();
      names.push(...events.map(({ object }) => object.metadata.name as string));
      seen = events.at(-1)?.object.metadata.resourceVersion;
    }
    const all = Array.from({ length: 20 }, (_, n) => `m-${Math.floor(n / 4)}-${n % 4}`);
    expect(names).to.deep.equal(all.slice(0, 15));
  });

  it('with a label selector see objects come into and go out of the selection', async () => {
    const maps = await freshMaps('watch-labels');
    const watch = await admin.watch(maps, { labelSelector: 'colour=red' });
    await admin.create(maps, configMap('plain'));
    await admin.create(maps, configMap('thing', {}, { labels: { colour: 'red' } }));
    await setData(`${maps}/thing`, { n: '1' });
    const out = await setLabel(`${maps}/thing`, 'blue');
    await setLabel(`${maps}/thing`, 'red');
    await admin.expect('DELETE', `${maps}/thing`);
    const events = await watch.take(5);
    expect(watch.lines).to.deep.equal(
      ['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED'].map((type) => `${type} thing`),
    );
    const left = events[2]?.object.metadata;
    expect(left.labels, 'an object that leaves is shown as it was').to.deep.equal({ colour: 'red' });
    expect(left.resourceVersion).to.equal(out.metadata.resourceVersion);
    watch.close();
  });

  it('with a field selector follow one object', async () => {
    const maps = await freshMaps('watch-fields');
    const watch = await admin.watch(maps, { fieldSelector: 'metadata.name=mine' });
    await admin.create(maps, configMap('other'));
    await admin.create(maps, configMap('mine'));
    await setData(`${maps}/other`, { n: '1' });
    await admin.expect('DELETE', `${maps}/mine`);
    await watch.take(2);
    expect(watch.lines).to.deep.equal(['ADDED mine', 'DELETED mine']);
    watch.close();
  });

  it('of all namespaces see every namespace', async () => {
    const one = await freshMaps('watch-one');
    const two = await freshMaps('watch-two');
    const { resourceVersion } = (await admin.get('/api/v1/configmaps')).body.metadata;
    const watch = await admin.watch('/api/v1/configmaps', { resourceVersion });
    await admin.create(one, configMap('a'));
    await admin.create(two, configMap('b'));
    await watch.take(2);
    expect(watch.lines).to.deep.equal(['ADDED a', 'ADDED b']);
    watch.close();
  });

  it('end after timeoutSeconds, with a bookmark of the newest version when those were asked for', async () => {
    const maps = await freshMaps('watch-time');
    const { resourceVersion } = (await admin.get(maps)).body.metadata;
    await admin.create(maps, configMap('a'));
    const last = await admin.create(inNamespace('default', 'configmaps'), configMap('elsewhere'));
    const options = { timeoutSeconds: '3', allowWatchBookmarks: 'true' };
    const watch = await admin.watch(maps, { ...options, resourceVersion });
    expect(await watch.ended).to.equal('end');
    expect(watch.lines).to.deep.equal(['ADDED a', 'BOOKMARK']);
    const { object } = watch.events[1] ?? {};
    expect(object?.kind).to.equal('ConfigMap');
    expect(Number(object?.metadata.resourceVersion)).to.be.at.least(Number(last.metadata.resourceVersion));
    const resumed = await admin.watch(maps, { resourceVersion: object?.metadata.resourceVersion });
    await admin.create(maps, configMap('b'));
    await resumed.take(1);
    expect(resumed.lines).to.deep.equal(['ADDED b']);
    resumed.close();
  });

  it('show bookmarks as what they show everything else: here an empty pod', async () => {
    const bookmark = async (accept: string) => {
      const path = '/api/v1/namespaces/default/pods?watch=1&allowWatchBookmarks=1&timeoutSeconds=3';
      const { type, object } = (await admin.get(path, { accept })).body;
      expect(type).to.equal('BOOKMARK');
      const { resourceVersion } = object.metadata;
      expect(resourceVersion).to.match(/^\d+$/);
      return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
    };
    const metadata = { creationTimestamp: null, resourceVersion: undefined };
    const rest = { spec: { containers: null }, status: {} };
    expect(await bookmark('application/json')).to.deep.equal({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata,
      ...rest,
    });
    const as = (kind: string) => bookmark(`application/json;as=${kind};v=v1;g=meta.orch.io`);
    const { kind, columnDefinitions, rows } = await as('Table');
    expect(kind).to.equal('Table');
    expect(columnDefinitions[0].name).to.equal('Name');
    expect(rows[0].cells.slice(0, 5)).to.deep.equal(['', '0/0', '', 0, '<unknown>']);
    expect(rows[0].object.kind).to.equal('PartialObjectMetadata');
    expect(await as('PartialObjectMetadata')).to.deep.equal({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.orch.io/v1',
      metadata,
    });
  });

  it('last as long as timers can when more is asked for', async () => {
    const maps = await freshMaps('watch-long');
    const watch = await admin.watch(maps, { timeoutSeconds: '99999999999' });
    await admin.create(maps, configMap('a'));
    await watch.take(1);
    watch.close();
  });

  it('refuse versions that are no numbers', async () => {
    const { code, body } = await admin.get('/api/v1/configmaps?watch=1&resourceVersion=abc');
    expect(code).to.be.at.least(400);
    expect(body.kind).to.equal('Status');
  });

  it('of a client that does not read are ended, and others go on', async () => {
    const maps = await freshMaps('watch-slow');
    const slow = await admin.watch(maps);
    slow.pause();
    const quick = await admin.watch(maps);
    const text = 'x'.repeat(900_000);
    const watching = await countWatches();
    let count = 0;
    const createNext = () => admin.create(maps, configMap(`m-${count++}`, { text }));
    // Until the server has given it up: it may read what it was sent before, but not for ever.
    while (count < 40 && (await countWatches()) === watching) await createNext();
    await createNext();
    slow.resume();
    expect(await slow.ended).to.equal('end');
    expect(slow.events.length).to.be.below(count);
    await quick.take(count);
    const resumeAt = slow.events.at(-1)?.object.metadata.resourceVersion ?? '0';
    const resumed = await admin.watch(maps, { resourceVersion: resumeAt });
    const events = await resumed.take(count - slow.events.length);
    expect(events.at(-1)?.object.metadata.name).to.equal(`m-${count - 1}`);
    quick.close();
    resumed.close();
  });

  it('begin with a state of any size, at the pace of the client', async () => {
    const maps = await freshMaps('watch-large');
    const text = 'x'.repeat(900_000);
    for (let n = 0; n < 40; n++) await admin.create(maps, configMap(`m-${n}`, { text }));
    const watch = await admin.watch(maps);
    watch.pause();
    await admin.create(maps, configMap('z'));
    watch.resume();
    const events = await watch.take(41);
    expect(events.at(-1)?.object.metadata.name).to.equal('z');
    watch.close();
  });

  it('give every one of fifty watchers every event in the same order', async () => {
    const maps = await freshMaps('watch-many');
    const { resourceVersion } = (await admin.get(maps)).body.metadata;
    const crowd = server.withToken(tokens.admin);
    const watches = [];
    for (let n = 0; n < 50; n++) watches.push(await crowd.watch(maps, { resourceVersion }));
    await Promise.all(Array.from({ length: 40 }, (_, n) => admin.create(maps, configMap(`m-${n}`))));
    const streams = await Promise.all(watches.map((watch) => watch.take(40)));
    const versions = streams.map((events) =>
      events.map(({ object }) => Number(object.metadata.resourceVersion)),
    );
    for (const seen of versions) expect(seen).to.deep.equal(versions[0]);
    expect(versions[0]).to.deep.equal(versions[0]?.toSorted((a, b) => a - b));
    for (const watch of watches) watch.close();
  });
});

describe('watches from a version that is gone', () => {
  it('get one error event, 410, and end', async () => {
    await using directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`, '--etcd-compaction-interval=200ms'];
    const first = await startTestServer({ flags });
    const { resourceVersion } = (await first.admin.get('/api/v1/configmaps')).body.metadata;
    for (const name of ['a', 'b'])
      await first.admin.create(inNamespace('default', 'configmaps'), configMap(name));
    await first.stop();
    // After a restart only the store knows the past, until it forgets it.
    const second = await startTestServer({ flags });
    try {
      const [event] = await eventually(async () => {
        const watch = await second.admin.watch('/api/v1/configmaps', { resourceVersion });
        await watch.take(1);
        if (watch.events[0]?.type !== 'ERROR') {
          watch.close();
          return undefined;
        }
        expect(await watch.ended).to.equal('end');
        return watch.events;
      });
      const { kind, code, reason, message } = event?.object ?? {};
      expect({ kind, code, reason }).to.deep.equal({ kind: 'Status', code: 410, reason: 'Expired' });
      expect(message).to.equal(`too old resource version: ${resourceVersion}`);
    } finally {
      await second.stop();
    }
  });
});

describe('watches that resume after a restart', () => {
  it('come forward to the present, however much has happened', async () => {
    await using directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`];
    const maps = inNamespace('default', 'configmaps');
    const count = 30;
    const first = await startTestServer({ flags });
    let resourceVersion = (await first.admin.get(maps)).body.metadata.resourceVersion as string;
    const text = 'x'.repeat(900_000);
    for (let n = 0; n < count; n++) await first.admin.create(maps, configMap(`m-${n}`, { text }));
    await first.stop();
    const second = await startTestServer({ flags });
    try {
      const names: string[] = [];
      while (names.length < count) {
        const watch = await second.admin.watch(maps, { resourceVersion });
        const rest = watch.until(() => watch.events.length >= count - names.length, 'the rest');
        await Promise.race([rest, watch.ended]).catch(() => undefined); // a watch may end before
        rest.catch(() => undefined);
        expect(watch.events, 'a watch that brings nothing comes never to an end').to.not.be.empty;
        names.push(...watch.events.map(({ object }) => object.metadata.name as string));
        resourceVersion = watch.events.at(-1)?.object.metadata.resourceVersion;
        watch.close();
      }
      expect(names).to.deep.equal(Array.from({ length: count }, (_, n) => `m-${n}`));
    } finally {
      await second.stop();
    }
  });
});
