import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { conditionOf, definitionsPath } from '../support/definitions.ts';
import { eventually, untilNone } from '../support/eventually.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

/** More of them by the variable, for a long run. */
const kills = Number(process.env.ORCH_TEST_KILLS ?? 6);
const slotCount = 8;
/** Requests that are answered before the earliest kill, and how many more there may be. */
const leastRequests = 60;
const moreRequests = 400;
const objectsEach = 3;
const services = '/apis/apiregistration.orch.io/v1/apiservices';
const finalizer = 'example.com/held';

/** A definition that comes and goes, and what the server said about it. Two share a group. */
class Slot {
  readonly group: string;
  readonly plural: string;
  readonly name: string;
  readonly objectsPath: string;
  /** Of the definition that was acknowledged last, until its deletion is over. */
  uid: string | undefined;
  /** How far its deletion got, as far as the server said. */
  deletion: 'none' | 'sent' | 'acknowledged' = 'none';
  /** A create was sent and not answered. */
  isUncertain = false;
  /** Acknowledged objects, by name. */
  readonly objects = new Map<string, string>();

  constructor(at: number) {
    this.group = `g${at >> 1}.example.com`;
    this.plural = `things${at}`;
    this.name = `${this.plural}.${this.group}`;
    this.objectsPath = `/apis/${this.group}/v1/namespaces/default/${this.plural}`;
  }

  get definition(): JsonObject {
    const names = { plural: this.plural, kind: `Kind${this.plural}` };
    const schema = {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'string', maxLength: 100 } } },
    };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    return {
      apiVersion: 'apiextensions.orch.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.name },
      spec: { group: this.group, scope: 'Namespaced', names, versions },
    };
  }

  object(name: string, isHeld: boolean): JsonObject {
    return {
      apiVersion: `${this.group}/v1`,
      kind: `Kind${this.plural}`,
      metadata: { name, finalizers: isHeld ? [finalizer] : [] },
      spec: name,
    };
  }

  forget(): void {
    this.uid = undefined;
    this.deletion = 'none';
    this.isUncertain = false;
    this.objects.clear();
  }
}

describe('orch serve, killed while definitions come and go', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it(`serves exactly what is defined, over ${kills} kills`, async function () {
    this.timeout(60_000 + kills * 10_000);
    const slots = Array.from({ length: slotCount }, (_, at) => new Slot(at));
    const start = () =>
      startServe([`--data-dir=${directory.path}`, '--service-cluster-ip-range=10.0.0.0/24']);
    const count = { created: 0, deleted: 0, objects: 0, unfinished: 0 };
    for (let kill = 0; kill < kills; kill++) {
      await using server = await start();
      const client = new ApiClient(server.access);
      if (kill > 0) await settle(client, slots, count);
      await storm(server, client, slots, count, leastRequests + ((kill * 97) % moreRequests));
      client.close();
    }
    await using server = await start();
    const client = new ApiClient(server.access);
    await settle(client, slots, count);
    for (const slot of slots.filter(({ uid }) => uid === undefined)) await checkBlank(client, slot);
    client.close();
    expect(await server.stop()).to.equal(0);
    if (process.env.ORCH_TEST_KILLS !== undefined) console.log(`      ${JSON.stringify(count)}`);
    expect(count.created, 'definitions').to.be.above(kills);
    expect(count.deleted, 'deletions').to.be.above(kills / 2);
    expect(count.unfinished, 'deletions that a kill broke off').to.be.above(0);
  });
});

type Count = { created: number; deleted: number; objects: number; unfinished: number };

/** Creates and deletes from many sides until the server is killed in the middle. */
async function storm(
  server: ServeProcess,
  client: ApiClient,
  slots: readonly Slot[],
  count: Count,
  requests: number,
): Promise<void> {
  let answered = 0;
  let killed: Promise<void> | undefined;
  const work = async (slot: Slot, at: number): Promise<void> => {
    for (let round = at; killed === undefined; round++) {
      await step(client, slot, round, count).catch(() => {});
      answered++;
      if (answered >= requests) killed ??= server.kill();
    }
  };
  await Promise.all(slots.map(work));
  await killed;
}

/** One request. Rejects when it is not answered. */
async function step(client: ApiClient, slot: Slot, round: number, count: Count): Promise<void> {
  if (slot.uid === undefined) await createDefinition(client, slot, count);
  else if (slot.deletion !== 'none') await followDeletion(client, slot, count);
  else if (slot.objects.size < objectsEach && round % 13 !== 12)
    await createObject(client, slot, round, count);
  else await deleteDefinition(client, slot);
}

async function createDefinition(client: ApiClient, slot: Slot, count: Count): Promise<void> {
  slot.isUncertain = true;
  const { code, body, text } = await client.send('POST', definitionsPath, { body: slot.definition });
  slot.isUncertain = false;
  expect(code, text).to.equal(201);
  slot.uid = body.metadata.uid;
  count.created++;
}

async function createObject(client: ApiClient, slot: Slot, round: number, count: Count): Promise<void> {
  const name = `o${slot.objects.size}`;
  const body = slot.object(name, round % 5 === 0);
  const answer = await client.send('POST', slot.objectsPath, { body });
  if (answer.code === 201) {
    slot.objects.set(name, answer.body.metadata.uid);
    count.objects++;
  } else if (answer.code === 409) {
    // Made by a request of which a kill took the answer.
    slot.objects.set(name, (await client.get(`${slot.objectsPath}/${name}`)).body.metadata.uid);
  } else expect(answer.code, 'not served yet').to.equal(404);
}

async function deleteDefinition(client: ApiClient, slot: Slot): Promise<void> {
  slot.deletion = 'sent';
  const { code } = await client.send('DELETE', `${definitionsPath}/${slot.name}`);
  expect(code).to.equal(200);
  slot.deletion = 'acknowledged';
}

/** Lets go what is held, until the definition is gone. */
async function followDeletion(client: ApiClient, slot: Slot, count: Count): Promise<void> {
  if ((await client.get(`${definitionsPath}/${slot.name}`)).code === 404) {
    slot.forget();
    count.deleted++;
    return;
  }
  await release(client, slot);
}

/** Takes the finalizers off objects whose deletion has begun. */
async function release(client: ApiClient, slot: Slot): Promise<void> {
  const { body } = await client.get(slot.objectsPath);
  for (const { metadata } of (body.items ?? []) as JsonObject[]) {
    if (metadata.deletionTimestamp === undefined) continue;
    await client.send('PATCH', `${slot.objectsPath}/${metadata.name}`, {
      contentType: 'application/merge-patch+json',
      body: { metadata: { finalizers: null } },
    });
  }
}

/** Checks what was acknowledged right after a start, then waits until everything agrees. Notes what is there. */
async function settle(client: ApiClient, slots: readonly Slot[], count: Count): Promise<void> {
  const stored = await definitionsOf(client);
  for (const slot of slots) {
    const metadata = stored.get(slot.name)?.metadata;
    if (slot.uid !== undefined && slot.deletion === 'none') {
      expect(metadata?.uid, `${slot.name} was acknowledged`).to.equal(slot.uid);
      expect(metadata?.deletionTimestamp).to.equal(undefined);
    }
    if (slot.deletion === 'acknowledged' && metadata?.uid === slot.uid)
      expect(metadata?.deletionTimestamp, `${slot.name}: the deletion was acknowledged`).to.be.a('string');
    if (slot.uid === undefined && !slot.isUncertain) expect(metadata, slot.name).to.equal(undefined);
    if (metadata?.deletionTimestamp !== undefined) count.unfinished++;
    if (metadata?.uid !== slot.uid || metadata?.deletionTimestamp !== undefined) slot.objects.clear();
  }
  await untilNone(() => complaints(client, slots));
  const left = await definitionsOf(client);
  for (const slot of slots) {
    const uid = left.get(slot.name)?.metadata.uid;
    if (uid === undefined) slot.forget();
    slot.uid = uid;
    slot.deletion = 'none';
    slot.isUncertain = false;
  }
}

async function definitionsOf(client: ApiClient): Promise<ReadonlyMap<string, JsonObject>> {
  const { items } = await client.expect('GET', definitionsPath);
  return new Map(items.map((item: JsonObject) => [item.metadata.name, item]));
}

/** Where definitions, objects, discovery, OpenAPI and registrations disagree. */
async function complaints(client: ApiClient, slots: readonly Slot[]): Promise<string[]> {
  for (const slot of slots) await release(client, slot);
  const definitions = await definitionsOf(client);
  const aggregated = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';
  const [groups, everything, openapi, index, registered] = [
    await client.expect('GET', '/apis'),
    await client.expect('GET', '/apis', { headers: { accept: aggregated } }),
    await client.expect('GET', '/openapi/v2'),
    await client.expect('GET', '/openapi/v3'),
    await client.expect('GET', services),
  ];
  const found: string[] = [];
  const agree = (what: string, actual: boolean, expected: boolean): void => {
    if (actual !== expected) found.push(`${what}: ${actual ? 'there' : 'not there'}`);
  };
  for (const slot of slots) {
    const { name, group, plural, objectsPath } = slot;
    const definition = definitions.get(name);
    if (definition?.metadata.deletionTimestamp !== undefined) found.push(`${name} is not gone yet`);
    const isThere = definition !== undefined;
    if (isThere && conditionOf(definition, 'Established')?.status !== 'True')
      found.push(`${name} is not established`);
    const list = await client.get(objectsPath);
    agree(`objects of ${name}`, list.code === 200, isThere);
    for (const [object, uid] of isThere ? slot.objects : []) {
      const stored = list.body.items?.find(({ metadata }: JsonObject) => metadata.name === object);
      if (stored?.metadata.uid !== uid) found.push(`${object} of ${name} is ${stored?.metadata.uid}`);
    }
    const { resources = [] } = (await client.get(`/apis/${group}/v1`)).body;
    const isListed = resources.some((resource: JsonObject) => resource.name === plural);
    agree(`${name} in discovery`, isListed, isThere);
    const { versions = [] } =
      everything.items.find(({ metadata }: JsonObject) => metadata.name === group) ?? {};
    const isAggregated =
      versions[0]?.resources.some(({ resource }: JsonObject) => resource === plural) === true;
    agree(`${name} in aggregated discovery`, isAggregated, isThere);
    const template = `/apis/${group}/v1/namespaces/{namespace}/${plural}`;
    agree(`${name} in OpenAPI`, Object.hasOwn(openapi.paths, template), isThere);
    const document = index.paths[`apis/${group}/v1`];
    const { paths = {} } = document === undefined ? {} : (await client.get(document.serverRelativeURL)).body;
    agree(`${name} in OpenAPI 3`, Object.hasOwn(paths, template), isThere);
    const hasGroup = slots.some((other) => other.group === group && definitions.has(other.name));
    agree(
      `group ${group}`,
      groups.groups.some((each: JsonObject) => each.name === group),
      hasGroup,
    );
    agree(
      `registration of ${group}`,
      registered.items.some(({ metadata }: JsonObject) => metadata.name === `v1.${group}`),
      hasGroup,
    );
  }
  return found;
}

/** A definition that is gone has left no objects: created anew, it has none. */
async function checkBlank(client: ApiClient, slot: Slot): Promise<void> {
  await client.create(definitionsPath, slot.definition);
  const { items } = await eventually(async () => {
    const { code, body } = await client.get(slot.objectsPath);
    return code === 200 ? body : undefined;
  });
  expect(items, slot.name).to.deep.equal([]);
}
