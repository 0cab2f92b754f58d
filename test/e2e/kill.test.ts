import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { inNamespace } from '../support/objects.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';
import type { WatchReader } from '../support/watch-reader.ts';

const kills = 30;
const writers = 8;
const namesPerWriter = 6;
/** Writes that are acknowledged before the earliest kill, and how many more there may be. */
const leastWrites = 20;
const moreWrites = 200;
const maps = inNamespace('default', 'configmaps');

/** What the server said that it did. */
interface Acknowledged {
  readonly revision: number;
  readonly name: string;
  /** Undefined for a deletion. */
  readonly checksum: string | undefined;
}

/** What a watch showed. */
interface Seen {
  readonly type: string;
  readonly name: string;
  readonly checksum: string | undefined;
}

describe('orch serve, killed while clients write', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it(`keeps every acknowledged write whole, and watches resume exactly, over ${kills} kills`, async function () {
    this.timeout(240_000);
    const acknowledged = new Map<number, Acknowledged>();
    const seen = new Map<number, Seen>();
    let resumeAt = '';
    const startAgain = () =>
      startServe([
        `--data-dir=${directory.path}`,
        '--controllers=none',
        '--service-cluster-ip-range=10.0.0.0/24',
      ]);
    for (let kill = 0; kill < kills; kill++) {
      await using server = await startAgain();
      const client = new ApiClient(server.access);
      if (resumeAt === '') resumeAt = (await client.get(maps)).body.metadata.resourceVersion;
      else await checkState(client, acknowledged);
      const watch = await client.watch(maps, { resourceVersion: resumeAt });
      await writeAndKill({ server, client, acknowledged, kill });
      expect(await watch.ended).to.equal('broken');
      resumeAt = takeOver(watch, seen, resumeAt);
      client.close();
    }
    await using server = await startAgain();
    const client = new ApiClient(server.access);
    await checkState(client, acknowledged);
    const last = Math.max(...acknowledged.keys());
    const watch = await client.watch(maps, { resourceVersion: resumeAt });
    await watch.until(
      () => Number(resumeAt) >= last || revisionOf(watch.events.at(-1)?.object) >= last,
      'the rest',
    );
    takeOver(watch, seen, resumeAt);
    watch.close();
    const present = checkWatched(seen, acknowledged);
    const { items } = (await client.get(maps)).body;
    expect(items.map(({ metadata }: JsonObject) => metadata.name)).to.have.members([...present]);
    client.close();
    expect(acknowledged.size).to.be.above(kills * leastWrites);
    expect(await server.stop()).to.equal(0);
  });
});

/** Writes from many sides until the server is killed in the middle, at a moment that differs with each kill. */
async function writeAndKill(options: {
  readonly server: ServeProcess;
  readonly client: ApiClient;
  readonly acknowledged: Map<number, Acknowledged>;
  readonly kill: number;
}): Promise<void> {
  const { server, client, acknowledged, kill } = options;
  const wanted = acknowledged.size + leastWrites + ((kill * 97) % moreWrites);
  let isKilled = false;
  let killed: Promise<void> | undefined;
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; !isKilled; round++) {
      const name = `w${writer}-${round % namesPerWriter}`;
      const done = await writeOnce(client, name, kill * 100_000 + round).catch(() => undefined);
      if (done !== undefined) acknowledged.set(done.revision, done);
      if (acknowledged.size < wanted) continue;
      isKilled = true;
      killed ??= server.kill();
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  await killed;
}

/** Creates, replaces or deletes one object. Rejects, or gives nothing, when the server did not say that it is done. */
async function writeOnce(client: ApiClient, name: string, round: number): Promise<Acknowledged | undefined> {
  const current = await client.get(`${maps}/${name}`);
  const isThere = current.code === 200;
  if (isThere && round % 7 === 6) return deleteOnce(client, name, current.body);
  const content = `${name} ${round} `.repeat(1 + ((round * 37) % 300));
  const checksum = checksumOf(content);
  const body = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, ...(isThere ? { resourceVersion: current.body.metadata.resourceVersion } : {}) },
    data: { content, checksum },
  };
  const answer = isThere
    ? await client.send('PUT', `${maps}/${name}`, { body })
    : await client.send('POST', maps, { body });
  if (answer.code !== 200 && answer.code !== 201) return undefined;
  return { revision: revisionOf(answer.body), name, checksum };
}

/** The answer to a deletion names no version, so that only its effect can be looked for. */
async function deleteOnce(client: ApiClient, name: string, current: JsonObject): Promise<undefined> {
  const { uid, resourceVersion } = current.metadata;
  await client.send('DELETE', `${maps}/${name}`, { body: { preconditions: { uid, resourceVersion } } });
}

/** Every object is whole, and none is older than what was acknowledged last under its name. */
async function checkState(client: ApiClient, acknowledged: ReadonlyMap<number, Acknowledged>): Promise<void> {
  const { items } = (await client.get(maps)).body;
  const stored = new Map<string, JsonObject>(items.map((item: JsonObject) => [item.metadata.name, item]));
  for (const { data } of stored.values()) expect(checksumOf(data.content), 'torn').to.equal(data.checksum);
  const newest = new Map<string, Acknowledged>();
  for (const write of acknowledged.values()) {
    if (write.revision > (newest.get(write.name)?.revision ?? 0)) newest.set(write.name, write);
  }
  for (const { name, revision, checksum } of newest.values()) {
    const object = stored.get(name);
    if (object === undefined) continue; // deleted since; the watch shows when
    expect(revisionOf(object), `${name} went back`).to.be.at.least(revision);
    if (revisionOf(object) === revision) expect(object.data.checksum).to.equal(checksum);
  }
}

/** Notes the events of a watch: revisions rise, also from one watch to the next. Returns where to go on. */
function takeOver(watch: WatchReader, seen: Map<number, Seen>, resumedAt: string): string {
  let last = Number(resumedAt);
  for (const { type, object } of watch.events) {
    const revision = revisionOf(object);
    expect(revision, 'events repeat or go back').to.be.above(last);
    last = revision;
    const { content, checksum } = object.data;
    expect(checksumOf(content), 'torn').to.equal(checksum);
    seen.set(revision, {
      type,
      name: object.metadata.name,
      checksum: type === 'DELETED' ? undefined : checksum,
    });
  }
  return String(last);
}

/**
 * Every acknowledged change was seen as what it was, and what was seen makes sense as a history. Returns the names
 * that are left at its end.
 */
function checkWatched(
  seen: ReadonlyMap<number, Seen>,
  acknowledged: ReadonlyMap<number, Acknowledged>,
): ReadonlySet<string> {
  for (const { revision, name, checksum } of acknowledged.values()) {
    const event = seen.get(revision);
    expect({ name: event?.name, checksum: event?.checksum }, `revision ${revision}`).to.deep.equal({
      name,
      checksum,
    });
  }
  const present = new Set<string>();
  for (const { type, name } of seen.values()) {
    expect(present.has(name), `${type} ${name}`).to.equal(type !== 'ADDED');
    if (type === 'DELETED') present.delete(name);
    else present.add(name);
  }
  return present;
}

const revisionOf = (object: JsonObject | undefined): number => Number(object?.metadata.resourceVersion ?? 0);
const checksumOf = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);
