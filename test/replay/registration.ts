import { setTimeout as delay } from 'node:timers/promises';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { testImages } from '../support/containerd-images.ts';
import type { ApiServer } from './api-server.ts';
import { callApi } from './call-api.ts';
import { differences } from './matching.ts';
import { machineAddresses } from './node-addresses.ts';
import { comparableNode, expectedNode, type RecordedReservation, type ShownNode } from './node-object.ts';
import { type Case, type Lane, type Rig, shareCases } from './rig.ts';

/** A node as the API shows it after an agent has started. */
export interface Registration {
  readonly node: string;
  readonly flags: readonly string[];
  /** Texts of files that flags name, below `{tmp}`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly expect: Registered;
  /** Condition to wait for; `Ready` when left out. */
  readonly waitCondition?: string;
  /** Metadata of a node that was there before. */
  readonly existingNode?: object;
  readonly existingNodeStatus?: object;
  readonly restartFlags?: readonly string[];
  readonly expectAfterRestart?: Registered;
}

interface Registered {
  readonly code: number;
  readonly node?: ShownNode;
  readonly computed?: RecordedReservation;
  readonly lease: { readonly code?: number };
  readonly events: readonly NodeEvent[];
  readonly renewedWithin12s?: boolean;
}

interface NodeEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** One agent takes little, but two processors have enough with so many. */
const mostAtOnce = 4;
const settledAfterMs = 4000;
/** What is written behind may come later when the machine is busy. */
const patienceMs = 6000;
const renewalMs = 12_000;
/** Events that came in time in some recordings only. */
const unsteadyReasons = new Set(['InvalidDiskCapacity', 'NodeReady', 'SystemOOM']);

/** Recordings of nodes. Under pressure of disks agents remove images, so that those have a runtime of their own. */
export function registrationLanes(cases: readonly Case[], rig: Rig): readonly Lane[] {
  const isDestructive = (one: Case): boolean => recordingOf(one).waitCondition === 'DiskPressure';
  const place = sharedPlace(rig);
  const users = shareCases(
    cases.filter((one) => !isDestructive(one)),
    Math.min(rig.jobs, mostAtOnce),
    async (one) => play(one, await place.get(), rig),
  );
  const destructive = cases.filter(isDestructive);
  const lonely: Lane = async () => {
    await using own = await openPlace(rig, 'disk');
    for (const one of destructive) {
      await own.restoreImages();
      await play(one, own, rig);
    }
  };
  return [...place.closeAfter(users), ...(destructive.length === 0 ? [] : [lonely])];
}

/** Cases of this kind are recordings of it. */
const recordingOf = (one: Case): Registration => one.recording as Registration;

interface Place extends AsyncDisposable {
  readonly containerd: Containerd;
  readonly server: ApiServer;
  /** The recorded images, and no other. */
  restoreImages(): Promise<void>;
}

async function openPlace(rig: Rig, name: string): Promise<Place> {
  const containerd = await startContainerd();
  const server = await rig.startServer(`registration-${name}`, ['--controllers=none']);
  return {
    containerd,
    server,
    async restoreImages() {
      await containerd.importImages();
      await using driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 });
      await driver.images.removeImage(testImages.spare);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await containerd[Symbol.asyncDispose]();
    },
  };
}

/** A place that the first lane opens and the last one closes. */
function sharedPlace(rig: Rig) {
  let opening: Promise<Place> | undefined;
  const open = async (): Promise<Place> => {
    const place = await openPlace(rig, 'shared');
    await place.restoreImages();
    return place;
  };
  const get = (): Promise<Place> => {
    opening ??= open();
    return opening;
  };
  const closeAfter = (lanes: readonly Lane[]): readonly Lane[] => {
    let left = lanes.length;
    return lanes.map((lane) => async () => {
      try {
        await lane();
      } finally {
        left--;
        if (left === 0) await (await opening)?.[Symbol.asyncDispose]();
      }
    });
  };
  return { get, closeAfter };
}

async function play(one: Case, place: Place, rig: Rig): Promise<void> {
  await rig.play(one, async () => {
    const { flags, expect, restartFlags, expectAfterRestart } = recordingOf(one);
    await makeExisting(recordingOf(one), place.server);
    const problems = await register(one, { flags, expect }, place, rig);
    if (problems.length > 0 || restartFlags === undefined || expectAfterRestart === undefined)
      return problems;
    return register(one, { flags: restartFlags, expect: expectAfterRestart }, place, rig);
  });
}

async function makeExisting(
  { node, existingNode, existingNodeStatus }: Registration,
  server: ApiServer,
): Promise<void> {
  if (existingNode === undefined) return;
  const body = { apiVersion: 'v1', kind: 'Node', metadata: { ...existingNode, name: node } };
  await callApi(server, { method: 'POST', path: '/api/v1/nodes', body });
  if (existingNodeStatus === undefined) return;
  await callApi(server, {
    method: 'PATCH',
    path: `/api/v1/nodes/${node}/status`,
    body: { status: existingNodeStatus },
    contentType: 'application/merge-patch+json',
  });
}

async function register(
  one: Case,
  { flags, expect }: { readonly flags: readonly string[]; readonly expect: Registered },
  { containerd, server }: Place,
  rig: Rig,
): Promise<readonly string[]> {
  const { node, files, waitCondition = 'Ready' } = recordingOf(one);
  const own = [
    `--orchconfig=${server.configPath}`,
    `--hostname-override=${node}`,
    '--node-status-update-frequency=2s',
    '--event-qps=0',
  ];
  const agent = await rig.makeAgent(one.name, [...own, ...flags.map(inPlace)], {
    containerd,
    cgroup: `${containerd.cgroupParent}/${node}`,
    files,
  });
  await agent.start();
  try {
    await agent.waitUntil(`the node is not ${waitCondition}`, async () => {
      if (expect.code !== 200) return true;
      const { body } = await callApi(server, { method: 'GET', path: `/api/v1/nodes/${node}` });
      const { conditions = [] } = (body as ShownNode).status; // the path is of such
      return conditions.some(({ type, status }) => type === waitCondition && status === 'True');
    });
    await delay(settledAfterMs);
    const context = { node, flags, server, port: agent.ports.secure };
    for (const lateAtMs = Date.now() + patienceMs; ; await delay(500)) {
      const problems = await compare(expect, context);
      if (problems.length > 0 && Date.now() < lateAtMs) continue;
      return problems.length === 0 && expect.renewedWithin12s ? await checkRenewal(server, node) : problems;
    }
  } finally {
    await rig.stopAgent(agent);
  }
}

function inPlace(flag: string): string {
  const { ip4, ip6 } = machineAddresses();
  return flag.replaceAll('<node-ip6>', ip6 ?? '').replaceAll('<node-ip>', ip4 ?? '');
}

interface Context {
  readonly node: string;
  readonly flags: readonly string[];
  readonly server: ApiServer;
  readonly port: number;
}

const leasePath = (node: string): string =>
  `/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases/${node}`;

async function compare(
  expect: Registered,
  { node, flags, server, port }: Context,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const found = await callApi(server, { method: 'GET', path: `/api/v1/nodes/${node}` });
  problems.push(...differences(expect.code, found.status, [], '/code'));
  if (expect.node !== undefined && found.status === 200) {
    const shown = found.body as ShownNode; // the path is of such
    const wanted = expectedNode(expect.node, expect.computed, { capacity: shown.status.capacity, flags });
    problems.push(...differences(wanted, comparableNode(shown, expect.node, port), [], '/node'));
  }
  const lease = await callApi(server, { method: 'GET', path: leasePath(node) });
  if (expect.lease.code !== undefined) {
    problems.push(...differences(expect.lease.code, lease.status, [], '/lease/code'));
  } else problems.push(...differences(expect.lease, withoutManagers(lease.body), [], '/lease'));
  return [...problems, ...(await compareEvents(expect.events, server, node))];
}

async function compareEvents(
  expected: readonly NodeEvent[],
  server: ApiServer,
  node: string,
): Promise<readonly string[]> {
  const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${node}`;
  const { body } = await callApi(server, { method: 'GET', path });
  const { items } = body as { items: readonly NodeEvent[] }; // the path is of such
  const textOf = ({ type, reason, message }: NodeEvent): string => `${type} ${reason} ${message}`;
  const steady = (events: readonly NodeEvent[]): Set<string> =>
    new Set(events.filter(({ reason }) => !unsteadyReasons.has(reason)).map(textOf));
  const wanted = steady(expected);
  const shown = steady(items);
  return [
    ...[...wanted].filter((event) => !shown.has(event)).map((event) => `/events: missing ${event}`),
    ...[...shown].filter((event) => !wanted.has(event)).map((event) => `/events: nobody expected ${event}`),
  ];
}

async function checkRenewal(server: ApiServer, node: string): Promise<readonly string[]> {
  const look = async (): Promise<unknown> => {
    const { body } = await callApi(server, { method: 'GET', path: leasePath(node) });
    return (body as { spec?: { renewTime?: string } }).spec?.renewTime; // the path is of such
  };
  const before = await look();
  for (const lateAtMs = Date.now() + renewalMs; Date.now() < lateAtMs; await delay(200)) {
    if ((await look()) !== before) return [];
  }
  return [`/lease: not renewed within ${renewalMs / 1000} s`];
}

function withoutManagers(object: unknown): unknown {
  const { metadata, ...rest } = object as { metadata: Record<string, unknown> }; // objects of the API have it
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}
