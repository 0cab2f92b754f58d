import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startContainerd } from '../support/containerd.ts';
import type { AgentProcess } from './agent-process.ts';
import { differences } from './matching.ts';
import type { Case, Lane, Rig } from './rig.ts';
import { fileSubject } from './subjects.ts';

/** An agent that is stopped and started again over pods that run. */
interface RestartRecording {
  readonly exitOnTerm: number;
  readonly pods: Readonly<Record<string, RestartedPod>>;
}

interface RestartedPod {
  readonly manifest: string;
  /** What its file has once the agent is stopped; the same when left out. */
  readonly manifestAfter?: string;
  /** Status before; null: there is no pod yet. */
  readonly before: unknown;
  /** Status after; null: its file is removed meanwhile. */
  readonly after: unknown;
  readonly sameUid: boolean;
  readonly sameContainer: boolean;
  readonly log: string | null;
}

interface ShownPod {
  readonly metadata: { readonly uid: string };
  readonly status: {
    readonly phase?: unknown;
    readonly conditions?: unknown;
    readonly containerStatuses?: readonly { readonly containerID?: string }[];
  };
}

type Looks = ReadonlyMap<string, ShownPod | undefined>;

const stoppedMs = 3000;
const settledAfterMs = 18_000;
/** On a busy machine all takes longer. */
const patienceMs = 20_000;

/** Recordings of restarts. */
export function restartLanes(cases: readonly Case[], rig: Rig): readonly Lane[] {
  return cases.map((one) => () => rig.play(one, () => play(one, rig)));
}

async function play(one: Case, rig: Rig): Promise<readonly string[]> {
  const { exitOnTerm, pods } = one.recording as RestartRecording; // cases of this kind are recordings of it
  await using containerd = await startContainerd();
  const folder = join(containerd.folder, 'agent');
  const workdir = join(containerd.folder, 'workdir');
  await mkdir(workdir);
  const flags = [
    `--pod-manifest-path=${join(folder, 'manifests')}`,
    '--file-check-frequency=1s',
    '--sync-frequency=10s',
  ];
  const agent = await rig.makeAgent(one.name, flags, { containerd, folder });
  await agent.start();
  try {
    const entries = Object.entries(pods);
    const put = async (wanted: readonly (readonly [string, RestartedPod])[]): Promise<void> => {
      for (const [name, { manifest }] of wanted) {
        await fileSubject(agent).put(`${name}.yaml`, manifest.replaceAll('{workdir}', workdir));
      }
    };
    const change = (): Promise<void> =>
      put(
        entries.flatMap(([name, pod]) =>
          pod.manifestAfter === undefined ? [] : [[name, { ...pod, manifest: pod.manifestAfter }] as const],
        ),
      );
    await put(entries.filter(([, { before }]) => before !== null));
    const before = await lookUntil(agent, pods, 'before');
    const exitCode = await agent.stop();
    for (const [name, pod] of entries)
      if (pod.after === null) await fileSubject(agent).remove(`${name}.yaml`);
    await put(entries.filter((entry) => entry[1].before === null));
    await change();
    await writeFile(join(workdir, 'go'), '');
    await delay(stoppedMs);
    await agent.start();
    await delay(settledAfterMs);
    const after = await lookUntil(agent, pods, 'after');
    return [
      ...differences(exitOnTerm, exitCode, [], '/exitOnTerm'),
      ...before.problems,
      ...after.problems,
      ...compareIdentities(pods, before.looks, after.looks),
      ...(await compareLogs(agent, pods)),
    ];
  } finally {
    await rig.stopAgent(agent);
  }
}

/** Looks until all is as recorded, or the time is over. */
async function lookUntil(
  agent: AgentProcess,
  pods: RestartRecording['pods'],
  when: 'before' | 'after',
): Promise<{ readonly looks: Looks; readonly problems: readonly string[] }> {
  for (const lateAtMs = Date.now() + patienceMs; ; await delay(300)) {
    const looks = await look(agent, Object.keys(pods));
    const problems = Object.entries(pods).flatMap(([name, pod]) => {
      const status = looks.get(name)?.status;
      const { phase, conditions, containerStatuses } = status ?? {};
      const shown = status === undefined ? null : { phase, conditions, containerStatuses };
      return differences(pod[when], shown, [], `/${name}/${when}`);
    });
    if (problems.length === 0 || Date.now() > lateAtMs) return { looks, problems };
  }
}

async function look(agent: AgentProcess, names: readonly string[]): Promise<Looks> {
  const subject = fileSubject(agent);
  const shown = names.map(
    // The path is of such.
    async (name) => [name, (await subject.pod(`${name}-node1`)) as ShownPod | undefined] as const,
  );
  return new Map(await Promise.all(shown));
}

function compareIdentities(pods: RestartRecording['pods'], before: Looks, after: Looks): readonly string[] {
  return Object.entries(pods).flatMap(([name, { sameUid, sameContainer }]) => {
    const isSame = (part: (pod: ShownPod | undefined) => string | undefined): boolean =>
      part(after.get(name)) !== undefined && part(before.get(name)) === part(after.get(name));
    const shown = {
      sameUid: isSame((pod) => pod?.metadata.uid),
      sameContainer: isSame((pod) => pod?.status.containerStatuses?.[0]?.containerID),
    };
    return differences({ sameUid, sameContainer }, shown, [], `/${name}`);
  });
}

async function compareLogs(agent: AgentProcess, pods: RestartRecording['pods']): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [name, { log }] of Object.entries(pods)) {
    if (log === null) continue;
    const shown = await fileSubject(agent).log(`${name}-node1`, 'c', false);
    problems.push(...differences(log, shown, [], `/${name}/log`));
  }
  return problems;
}
