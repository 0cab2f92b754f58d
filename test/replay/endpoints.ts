import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import { issueCertificate, type KeyPair, makeAuthority } from '../../src/server/pki/index.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import type { AgentProcess } from './agent-process.ts';
import type { ApiServer } from './api-server.ts';
import { type Exchange, type ExchangePlaces, playExchange } from './exchange.ts';
import { fetchInsecurely } from './fetch-insecurely.ts';
import type { Case, Lane, Rig } from './rig.ts';
import { fileSubject } from './subjects.ts';

/** What an agent with one pod answers. */
interface EndpointRecording {
  readonly flags: readonly string[];
  /** Texts of files that flags name, below `{tmp}`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly manifest: string;
  /** One, after recordings have been split up. */
  readonly exchanges: readonly Exchange[];
}

interface ShownPod {
  readonly metadata: { readonly uid: string };
  readonly status: {
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly restartCount: number;
      readonly state: { readonly running?: object };
    }[];
  };
}

/** Agents with pods do not share a runtime. */
const mostAtOnce = 3;
const podName = 'web-node1';
/** Its server listens then, and there are figures about it. */
const settledAfterMs = 2500;

/** Exchanges; those of one recording meet the same agent, in their order. */
export function endpointLanes(cases: readonly Case[], rig: Rig): readonly Lane[] {
  const byRecording = Map.groupBy(cases, ({ name }) => name.split('/')[0] ?? '');
  const queue = [...byRecording].sort(([, one], [, other]) => other.length - one.length);
  return Array.from({ length: Math.min(rig.jobs, mostAtOnce, queue.length) }, () => async () => {
    if (queue.length === 0) return;
    await using containerd = await startContainerd();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await playRecording(next[0], next[1], rig, containerd);
      await removePods(containerd);
    }
  });
}

/** Cases of this kind are recordings of it. */
const recordingOf = (one: Case): EndpointRecording => one.recording as EndpointRecording;

async function playRecording(
  name: string,
  cases: readonly Case[],
  rig: Rig,
  containerd: Containerd,
): Promise<void> {
  const [first] = cases;
  if (first === undefined) return;
  const { flags, files, manifest } = recordingOf(first);
  const folder = await rig.folder('agents', name);
  const { authorityPath, certificates } = await makeCertificates(folder);
  const server = flags.some((flag) => flag.startsWith('--orchconfig'))
    ? await rig.startServer(name, ['--controllers=none'])
    : undefined;
  const own = ['--file-check-frequency=1s', '--sync-frequency=10s'];
  const manifests = `--pod-manifest-path=${join(folder, 'manifests')}`;
  const inPlace = flags.flatMap((flag) => flagInPlace(flag, server, authorityPath));
  const agent = await rig.makeAgent(name, [...own, manifests, ...inPlace], { containerd, folder, files });
  try {
    const getReady = (async () => {
      await agent.launch();
      await fileSubject(agent).put('web.yaml', manifest);
      return waitForPod(agent, flags);
    })();
    for (const one of cases) {
      await rig.play(one, async () => {
        const podUid = one === first ? await getReady : await getReady.catch(() => undefined);
        if (podUid === undefined) return ['its agent did not get ready'];
        const places: ExchangePlaces = { agent, certificates, podUid };
        const [exchange] = recordingOf(one).exchanges;
        return exchange === undefined ? ['there is no exchange'] : playExchange(exchange, places);
      });
    }
  } finally {
    await rig.stopAgent(agent);
    await server?.stop();
  }
}

/** Recordings name the node otherwise than their pod does; its name comes last in the options that they were made with. */
function flagInPlace(flag: string, server: ApiServer | undefined, authorityPath: string): readonly string[] {
  const [name = ''] = flag.split('=');
  if (name === '--hostname-override') return [];
  if (name === '--orchconfig') return [`${name}=${server?.configPath ?? ''}`];
  if (name === '--client-ca-file') return [`${name}=${authorityPath}`];
  return [flag];
}

/** Resolves with the uid of the pod once all of it runs, one of its containers for the second time. */
async function waitForPod(agent: AgentProcess, flags: readonly string[]): Promise<string> {
  const isReadable = !flags.includes('--read-only-port=0');
  let uid = '';
  const look = async (): Promise<boolean> => {
    const text = isReadable
      ? JSON.stringify(await agent.readOnly('/pods'))
      : (await fetchInsecurely(`https://127.0.0.1:${agent.ports.secure}/pods`)).text;
    const { items } = JSON.parse(text) as { items: readonly ShownPod[] | null }; // the path is of such
    const { metadata, status } = items?.[0] ?? {};
    uid = metadata?.uid ?? '';
    const containers = status?.containerStatuses ?? [];
    return (
      containers.some(({ restartCount }) => restartCount === 1) &&
      containers.every(({ state }) => state.running !== undefined)
    );
  };
  await agent.waitUntil(`${podName} does not run`, look, { patienceMs: 40_000 });
  await delay(settledAfterMs);
  return uid;
}

/** Client certificates by the names that recordings have for them. */
async function makeCertificates(folder: string): Promise<{
  readonly authorityPath: string;
  readonly certificates: ReadonlyMap<string, KeyPair>;
}> {
  const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
  const authority = await makeAuthority({ commonName: 'test-ca', ...period });
  const foreign = await makeAuthority({ commonName: 'foreign-ca', ...period });
  const issue = (from: KeyPair, commonName: string, organizations: readonly string[]): Promise<KeyPair> =>
    issueCertificate({ authority: from, subject: { commonName, organizations }, usage: 'client', ...period });
  const authorityPath = join(folder, 'ca.pem');
  await writeFile(authorityPath, authority.certificatePem);
  return {
    authorityPath,
    certificates: new Map([
      ['cadmin', await issue(authority, 'cert-admin', ['system:masters'])],
      ['cuser', await issue(authority, 'bob', [])],
      ['cforeign', await issue(foreign, 'mallory', ['system:masters'])],
    ]),
  };
}

/** So that the next agent finds none. */
async function removePods({ endpoint }: Containerd): Promise<void> {
  await using driver = createCriRuntime({ endpoint, requestTimeoutMs: 30_000 });
  for (const { id } of await driver.runtime.listPodSandboxes()) {
    await driver.runtime.stopPodSandbox(id);
    await driver.runtime.removePodSandbox(id);
  }
}
