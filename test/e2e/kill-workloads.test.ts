import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { untilNone } from '../support/eventually.ts';
import { HollowNodes, nodeCores } from '../support/hollow-nodes.ts';
import { createRandomSource, type RandomSource } from '../support/random-source.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';
import { testSeed } from '../support/test-seed.ts';

/** More of them by the variable, for a long run. */
const kills = Number(process.env.ORCH_TEST_KILLS ?? 3);
/** Requests that are answered before a kill, at most; controllers are busy with what the last of them changed. */
const mostRequests = 150;
const nodeNames = ['n0', 'n1', 'n2', 'n3'];
const historyLimit = 2;
/** Looks at a state that has settled: what acts on old knowledge would show in them. */
const looksAfterwards = 20;
const mergePatch = 'application/merge-patch+json';
const apps = '/apis/apps/v1/namespaces/default';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const completions = 5;
const parallelism = 2;
/** What a pod of the named workloads asks for: all of them together fit, but a node that gets too many is over-committed. */
const coresPerPod = 2;

const names = {
  deployments: ['surging', 'sparing', 'replaced'],
  statefulsets: ['ordered', 'parallel'],
  daemonsets: ['everywhere', 'somewhere'],
} as const;
type Resource = keyof typeof names;

const changes = { templates: 0, scales: 0, jobs: 0, deletions: 0, placements: 0 };

describe('orch serve, killed while workloads are rolled out', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it(`ends with exactly what is asked for, over ${kills} kills`, async function () {
    this.timeout(60_000 + kills * 10_000);
    const random = createRandomSource(testSeed);
    const always = new AlwaysHeld();
    const hollow = new HollowNodes(nodeNames, (pods) => always.check(pods));
    const start = () =>
      startServe([`--data-dir=${directory.path}`, '--service-cluster-ip-range=10.0.0.0/24']);
    for (let kill = 0; kill < kills; kill++) {
      await using server = await start();
      const client = new ApiClient(server.access);
      if (kill === 0) await setUp(client, hollow);
      await storm(server, client, hollow, random);
      client.close();
      expect([...always.broken]).to.deep.equal([]);
    }
    await using server = await start();
    const client = new ApiClient(server.access);
    await settle(client, hollow);
    client.close();
    expect(await server.stop()).to.equal(0);
    expect([...always.broken]).to.deep.equal([]);
    expect(changes.templates).to.be.above(kills);
    if (process.env.ORCH_TEST_KILLS !== undefined) console.log(`      ${JSON.stringify(changes)}`);
  });
});

/** Changes workloads and runs their pods until the server is killed in the middle. */
async function storm(
  server: ServeProcess,
  client: ApiClient,
  hollow: HollowNodes,
  random: RandomSource,
): Promise<void> {
  let left = 1 + random.below(mostRequests);
  let killed: Promise<void> | undefined;
  const work = async (step: () => Promise<number>): Promise<void> => {
    while (killed === undefined) {
      // What is not answered, the kill broke off.
      left -= await step().catch((error: unknown) => {
        if (killed === undefined) throw error;
        return 0;
      });
      if (left <= 0) killed ??= server.kill();
    }
  };
  await Promise.all([work(() => hollow.step(client)), work(() => change(client, random))]);
  await killed;
}

const pathOf = (resource: Resource, name: string): string => `${apps}/${resource}/${name}`;

const templateOf = (labels: JsonObject, generation: number, cores = 0): JsonObject => ({
  metadata: { labels },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'main',
        image: `example/image:${generation}`,
        ...(cores > 0 && { resources: { requests: { cpu: String(cores) } } }),
      },
    ],
  },
});

/** Daemons ask for nothing, so that there is always room for them. */
const coresFor = (resource: Resource): number => (resource === 'daemonsets' ? 0 : coresPerPod);

const specs: Readonly<Record<string, JsonObject>> = {
  surging: { replicas: 4, strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } } },
  sparing: { replicas: 4, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
  replaced: { replicas: 2, strategy: { type: 'Recreate' } },
  ordered: { replicas: 3, serviceName: 'ordered' },
  parallel: { replicas: 3, serviceName: 'parallel', podManagementPolicy: 'Parallel' },
  everywhere: { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } },
  somewhere: {},
};
const kinds = { deployments: 'Deployment', statefulsets: 'StatefulSet', daemonsets: 'DaemonSet' } as const;

function workload(resource: Resource, name: string): JsonObject {
  const labels = { app: name };
  const template = templateOf(labels, 0, coresFor(resource));
  if (name === 'somewhere') template.spec.nodeSelector = { wanted: 'yes' };
  return {
    kind: kinds[resource],
    apiVersion: 'apps/v1',
    metadata: { name },
    spec: { ...specs[name], revisionHistoryLimit: historyLimit, selector: { matchLabels: labels }, template },
  };
}

// The keys are those of the object above.
const byResource = Object.entries(names) as [Resource, readonly string[]][];
const allWorkloads = byResource.flatMap(([resource, all]) => all.map((name) => ({ resource, name })));

async function setUp(client: ApiClient, hollow: HollowNodes): Promise<void> {
  await hollow.register(client);
  for (const { resource, name } of allWorkloads)
    await client.create(`${apps}/${resource}`, workload(resource, name));
}

/** One change of what is asked for, and how many requests it took. Templates come again: histories are renumbered. */
async function change(client: ApiClient, random: RandomSource): Promise<number> {
  const { resource, name } = random.pick(allWorkloads);
  const what = random.below(10);
  const patch = (body: JsonObject) =>
    client.send('PATCH', pathOf(resource, name), { contentType: mergePatch, body });
  if (what < 5) {
    const { spec } = templateOf({}, random.below(6), coresFor(resource));
    const { code } = await patch({ spec: { template: { spec } } });
    if (code === 200) changes.templates++;
    return 1;
  }
  if (what < 7 && resource !== 'daemonsets') {
    const { code } = await patch({ spec: { replicas: random.below(6) } });
    if (code === 200) changes.scales++;
    return 1;
  }
  if (what < 8) return placeOrBegin(client, random);
  if (name === 'replaced') return replaceOwner(client, random);
  await client.expect('GET', '/api/v1/pods');
  return 1;
}

/** Labels or unlabels a node, or begins a job. */
async function placeOrBegin(client: ApiClient, random: RandomSource): Promise<number> {
  if (random.below(3) > 0) {
    const body = { metadata: { labels: { wanted: random.pick(['yes', 'no']) } } };
    const path = `/api/v1/nodes/${random.pick(nodeNames)}`;
    await client.expect('PATCH', path, { contentType: mergePatch, body });
    changes.placements++;
    return 1;
  }
  const template = templateOf({ finishes: 'yes' }, 0);
  template.spec.restartPolicy = 'Never';
  await client.create(jobs, {
    kind: 'Job',
    apiVersion: 'batch/v1',
    metadata: { generateName: 'job-' },
    spec: { completions, parallelism, template },
  });
  changes.jobs++;
  return 1;
}

/** The owner goes, with what it owns or without, and comes again under its name. */
async function replaceOwner(client: ApiClient, random: RandomSource): Promise<number> {
  const body = { propagationPolicy: random.pick(['Background', 'Foreground', 'Orphan']) };
  const { code } = await client.send('DELETE', pathOf('deployments', 'replaced'), { body });
  if (code === 200) changes.deletions++;
  // Refused while the first is still there.
  await client.send('POST', `${apps}/deployments`, { body: workload('deployments', 'replaced') });
  return 2;
}

async function settle(client: ApiClient, hollow: HollowNodes): Promise<void> {
  const look = async (): Promise<string[]> => {
    await hollow.step(client);
    return complaints(await readCluster(client));
  };
  // It may have been deleted last.
  await untilNone(async () => {
    await hollow.step(client);
    const body = workload('deployments', 'replaced');
    const { code } = await client.send('POST', `${apps}/deployments`, { body });
    const { metadata } = (await client.get(pathOf('deployments', 'replaced'))).body;
    const isThere = code === 201 || (metadata?.uid && metadata.deletionTimestamp === undefined);
    return isThere ? [] : ['the deleted owner is not gone yet'];
  });
  await untilNone(look, { patienceMs: 60_000 });
  const settled = uidsOf(await readCluster(client));
  for (let at = 0; at < looksAfterwards; at++) expect(await look()).to.deep.equal([]);
  expect(uidsOf(await readCluster(client)), 'nothing is made or deleted any more').to.deep.equal(settled);
}

/** What must be so at any moment, whatever was killed, and where it was not. */
class AlwaysHeld {
  readonly broken = new Set<string>();
  readonly #nodeOf = new Map<string, string>();

  /** `pods` are all that there are, at one moment. */
  check(pods: readonly JsonObject[]): void {
    const cores = new Counts();
    const daemons = new Counts();
    const ofJobs = new Counts();
    const activeOfJobs = new Counts();
    for (const { metadata, spec, status } of pods) {
      const { nodeName } = spec;
      const hasEnded = status.phase === 'Succeeded' || status.phase === 'Failed';
      const [owner] = metadata.ownerReferences ?? [];
      const isDaemon = owner?.kind === 'DaemonSet' && nodeName !== undefined;
      if (isDaemon && !metadata.deletionTimestamp) daemons.add(`${owner.name} on ${nodeName}`, 1);
      if (owner?.kind === 'Job') {
        ofJobs.add(owner.name, 1);
        if (!hasEnded) activeOfJobs.add(owner.name, 1);
      }
      if (nodeName === undefined) continue;
      if (!hasEnded) cores.add(nodeName, Number(spec.containers[0].resources?.requests?.cpu ?? 0));
      const before = this.#nodeOf.get(metadata.uid) ?? nodeName;
      this.#nodeOf.set(metadata.uid, nodeName);
      if (before !== nodeName) this.broken.add(`${metadata.name} was on ${before} and is on ${nodeName}`);
    }
    for (const text of [
      ...cores.above(nodeCores, 'cores in use'),
      ...daemons.above(1, 'pods'),
      ...ofJobs.above(completions, 'pods'),
      ...activeOfJobs.above(parallelism, 'active pods'),
    ])
      this.broken.add(text);
  }
}

/** Sums by name. */
class Counts {
  readonly #sums = new Map<string, number>();

  add(name: string, count: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + count);
  }

  above(limit: number, what: string): string[] {
    const found = [...this.#sums].filter(([, sum]) => sum > limit);
    return found.map(([name, sum]) => `${name}: ${sum} ${what}, more than ${limit}`);
  }
}

const read = {
  deployments: `${apps}/deployments`,
  replicasets: `${apps}/replicasets`,
  statefulsets: `${apps}/statefulsets`,
  daemonsets: `${apps}/daemonsets`,
  controllerrevisions: `${apps}/controllerrevisions`,
  jobs,
  pods: '/api/v1/pods',
  nodes: '/api/v1/nodes',
} as const;

/** All that workloads are and own. */
type Cluster = Readonly<Record<keyof typeof read, readonly JsonObject[]>>;

async function readCluster(client: ApiClient): Promise<Cluster> {
  const lists = await Promise.all(
    Object.entries(read).map(async ([key, path]) => [key, (await client.expect('GET', path)).items]),
  );
  // The keys are those of what is read.
  return Object.fromEntries(lists) as Cluster;
}

const uidsOf = (cluster: Cluster): string[] =>
  Object.values(cluster)
    .flatMap((items) => items.map(({ metadata }) => metadata.uid))
    .sort();

const ownedBy = (items: readonly JsonObject[], { metadata }: JsonObject): JsonObject[] =>
  items.filter((item) => item.metadata.ownerReferences?.some(({ uid }: JsonObject) => uid === metadata.uid));

const imageOf = ({ template }: JsonObject): string => template.spec.containers[0].image;

/** Notes what is not as it should be. */
class Complaints {
  readonly found: string[] = [];

  equal(actual: unknown, expected: unknown, what: string): void {
    if (actual !== expected) this.found.push(`${what}: ${actual} instead of ${expected}`);
  }

  atMost(actual: number, limit: number, what: string): void {
    if (actual > limit) this.found.push(`${what}: ${actual}, more than ${limit}`);
  }

  unique(values: readonly unknown[], what: string): void {
    this.equal(new Set(values).size, values.length, what);
  }
}

/** Where what runs is not what is asked for. */
function complaints(cluster: Cluster): string[] {
  const all = new Complaints();
  const { deployments, replicasets, statefulsets, daemonsets, controllerrevisions, pods } = cluster;
  const uids = new Set(uidsOf(cluster));
  for (const { metadata } of [...pods, ...replicasets, ...controllerrevisions]) {
    const owners: JsonObject[] = metadata.ownerReferences ?? [];
    if (!owners.some(({ uid }) => uids.has(uid))) all.found.push(`${metadata.name} has no owner`);
  }
  for (const { metadata, spec } of pods) {
    if (metadata.deletionTimestamp !== undefined) all.found.push(`${metadata.name} is not gone yet`);
    if (spec.nodeName === undefined) all.found.push(`${metadata.name} is on no node`);
  }
  for (const { metadata, status } of [...deployments, ...replicasets, ...statefulsets, ...daemonsets]) {
    all.equal(metadata.deletionTimestamp, undefined, `${metadata.name}: deletion`);
    all.equal(status.observedGeneration, metadata.generation, `${metadata.name}: observed generation`);
  }
  for (const deployment of deployments) complainOfDeployment(all, cluster, deployment);
  for (const set of statefulsets) complainOfStatefulSet(all, cluster, set);
  for (const set of daemonsets) complainOfDaemonSet(all, cluster, set);
  for (const job of cluster.jobs) complainOfJob(all, cluster, job);
  all.equal(deployments.length, names.deployments.length, 'deployments');
  all.equal(cluster.jobs.length >= changes.jobs, true, 'every job that was acknowledged is there');
  return all.found;
}

const revisionAnnotation = 'deployment.orch.io/revision';

function complainOfDeployment(all: Complaints, cluster: Cluster, deployment: JsonObject): void {
  const { metadata, spec, status } = deployment;
  const { name } = metadata;
  for (const count of ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'])
    all.equal(status[count] ?? 0, spec.replicas, `${name}: ${count}`);
  const sets = ownedBy(cluster.replicasets, deployment);
  const revisionOf = (set: JsonObject): number => Number(set.metadata.annotations[revisionAnnotation]);
  all.unique(sets.map(revisionOf), `${name}: different revisions`);
  all.unique(
    sets.map((set) => imageOf(set.spec)),
    `${name}: different templates`,
  );
  const [newest] = sets.toSorted((a, b) => revisionOf(b) - revisionOf(a));
  all.equal(newest && imageOf(newest.spec), imageOf(spec), `${name}: template of the newest`);
  const revision = newest?.metadata.annotations[revisionAnnotation];
  all.equal(revision, metadata.annotations?.[revisionAnnotation], `${name}: revision`);
  all.atMost(sets.length, historyLimit + 1, `${name}: replica sets`);
  for (const set of sets) {
    const wanted = set === newest ? spec.replicas : 0;
    all.equal(set.spec.replicas, wanted, `${set.metadata.name}: size`);
    all.equal(ownedBy(cluster.pods, set).length, wanted, `${set.metadata.name}: pods`);
  }
}

function complainOfHistory(all: Complaints, cluster: Cluster, owner: JsonObject): JsonObject | undefined {
  const { name } = owner.metadata;
  const history = ownedBy(cluster.controllerrevisions, owner);
  all.unique(
    history.map(({ revision }) => revision),
    `${name}: different revisions`,
  );
  all.unique(
    history.map(({ data }) => imageOf(data.spec)),
    `${name}: different templates`,
  );
  all.atMost(history.length, historyLimit + 1, `${name}: revisions`);
  const [newest] = history.toSorted((a, b) => b.revision - a.revision);
  all.equal(newest && imageOf(newest.data.spec), imageOf(owner.spec), `${name}: template of the newest`);
  return newest;
}

const hashLabel = 'controller-revision-hash';

function complainOfStatefulSet(all: Complaints, cluster: Cluster, set: JsonObject): void {
  const { metadata, spec, status } = set;
  const newest = complainOfHistory(all, cluster, set);
  for (const count of ['replicas', 'readyReplicas', 'updatedReplicas', 'currentReplicas'])
    all.equal(status[count] ?? 0, spec.replicas, `${metadata.name}: ${count}`);
  all.equal(status.updateRevision, newest?.metadata.name, `${metadata.name}: update revision`);
  all.equal(status.currentRevision, newest?.metadata.name, `${metadata.name}: current revision`);
  const pods = ownedBy(cluster.pods, set);
  const found = pods.map((pod) => pod.metadata.name).sort();
  const wanted = Array.from({ length: spec.replicas }, (_, ordinal) => `${metadata.name}-${ordinal}`);
  all.equal(found.join(), wanted.join(), `${metadata.name}: pods`);
  for (const pod of pods)
    all.equal(pod.metadata.labels[hashLabel], newest?.metadata.name, `${pod.metadata.name}: revision`);
}

function complainOfDaemonSet(all: Complaints, cluster: Cluster, set: JsonObject): void {
  const { metadata, spec, status } = set;
  const newest = complainOfHistory(all, cluster, set);
  const isSelective = spec.template.spec.nodeSelector !== undefined;
  const wanted = cluster.nodes
    .filter((node) => !isSelective || node.metadata.labels.wanted === 'yes')
    .map((node) => node.metadata.name)
    .sort();
  const counts = [
    'desiredNumberScheduled',
    'currentNumberScheduled',
    'updatedNumberScheduled',
    'numberAvailable',
  ];
  for (const count of counts) all.equal(status[count] ?? 0, wanted.length, `${metadata.name}: ${count}`);
  all.equal(status.numberMisscheduled, 0, `${metadata.name}: numberMisscheduled`);
  const pods = ownedBy(cluster.pods, set);
  const found = pods.map((pod) => pod.spec.nodeName).sort();
  all.equal(found.join(), wanted.join(), `${metadata.name}: nodes`);
  for (const pod of pods)
    all.equal(
      pod.metadata.labels[hashLabel],
      newest?.metadata.labels[hashLabel],
      `${pod.metadata.name}: revision`,
    );
}

function complainOfJob(all: Complaints, cluster: Cluster, job: JsonObject): void {
  const { metadata, status } = job;
  all.equal(status.succeeded, completions, `${metadata.name}: succeeded`);
  all.equal(status.active ?? 0, 0, `${metadata.name}: active`);
  all.equal(status.failed ?? 0, 0, `${metadata.name}: failed`);
  const ends = (status.conditions ?? []).map(({ type }: JsonObject) => type).join();
  all.equal(ends, 'Complete', `${metadata.name}: conditions`);
  all.equal(ownedBy(cluster.pods, job).length, completions, `${metadata.name}: pods`);
}
