import type { ContainerStatus, Pod, PodStatus } from '../../../../../src/apis/types/core-v1.ts';
import { readBehaviour } from './behaviour.ts';
import type { ContainerRecord } from './simulated-runtime.ts';
import type { World } from './world.ts';

/** What is not as it should be in a world in which nothing has gone wrong for long. */
export function findFlaws(world: World): readonly string[] {
  const desired = new Map([...world.desired.api, ...world.desired.file]);
  const left = {
    'a sandbox': [...world.runtime.sandboxes.values()].map(({ uid }) => uid),
    'a container': [...world.runtime.containers.values()].map(({ uid }) => uid),
    'a mount': [...world.holdings.mounts],
    'a control group': [...world.holdings.cgroups],
  };
  const orphaned = Object.entries(left).flatMap(([what, uids]) =>
    uids.filter((uid) => !desired.has(uid)).map((uid) => `${what} is left of ${uid}`),
  );
  return [...orphaned, ...[...desired.values()].flatMap((pod) => checkPod(world, pod))];
}

function checkPod(world: World, pod: Pod): readonly string[] {
  const { uid = '', deletionTimestamp } = pod.metadata;
  const say = (flaws: readonly string[]): readonly string[] => flaws.map((flaw) => `${uid}: ${flaw}`);
  if (deletionTimestamp !== undefined) return say(['deleted, and still there']);
  const status = world.life?.statuses.get(uid);
  if (status === undefined) return say(['no status was told']);
  const ofPod = [...world.runtime.containers.values()].filter((each) => each.uid === uid);
  const ready = [...world.runtime.sandboxes.values()].filter(
    (each) => each.uid === uid && each.status.state === 'ready',
  );
  const running = ofPod.filter((each) => each.status.state === 'running');
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    if (running.length + ready.length > 0) return say(['over, and something runs']);
    if (world.holdings.mounts.has(uid) || world.holdings.cgroups.has(uid))
      return say(['over, and it holds something']);
    return [];
  }
  // As in the reference: one that lost its sandbox before all containers had begun neither goes on nor ends.
  if (pod.spec.restartPolicy === 'Never' && ready.length + running.length === 0) return [];
  if (mustBeOver(pod)) return say([`should be over, and is ${status.phase}`]);
  if (ready.length !== 1) return say([`${ready.length} sandboxes are ready`]);
  return say([
    ...checkAddress(pod, status, ready[0]?.status.ips[0]),
    ...checkContainers(world, pod, status, ofPod),
  ]);
}

function checkAddress(pod: Pod, { podIP }: PodStatus, ip: string | undefined): readonly string[] {
  return pod.spec.hostNetwork === true || podIP === ip ? [] : [`address ${podIP} told, is ${ip}`];
}

/** Whether something became of an instance so recently that it need not have been seen. */
function isFresh({ time }: World, { status }: ContainerRecord): boolean {
  const { createdAtMs, startedAtMs, finishedAtMs } = status;
  return time.nowMs - Math.max(createdAtMs, startedAtMs ?? 0, finishedAtMs ?? 0) < 3000;
}

function checkContainers(
  world: World,
  pod: Pod,
  status: PodStatus,
  ofPod: readonly ContainerRecord[],
): readonly string[] {
  const isInitialized = (pod.spec.initContainers ?? []).every(
    ({ image = '' }) => readBehaviour(image).exit?.code === 0,
  );
  return (pod.spec.containers ?? []).flatMap(({ name, image = '' }) => {
    const instances = ofPod.filter((each) => each.name === name);
    const running = instances.filter((each) => each.status.state === 'running');
    const told = status.containerStatuses?.find((each) => each.name === name);
    if (running.length > 1) return [`${running.length} instances of ${name} run`];
    const { exit, diesAfterMs } = readBehaviour(image);
    // One that was ended because of its hook is not made anew then.
    const mayHaveEnded = pod.spec.restartPolicy === 'Never' && instances.some(hasRun);
    const isForEver = exit === undefined && diesAfterMs === undefined && !mayHaveEnded;
    if (isForEver && isInitialized && running.length !== 1) return [`${name} does not run`];
    const [only] = running;
    if (only !== undefined && only.status.image !== image) return [`${name} runs another image`];
    return instances.some((each) => isFresh(world, each)) ? [] : checkTold(name, told, only);
  });
}

const hasRun = ({ status }: ContainerRecord): boolean => status.finishedAtMs !== undefined;

function checkTold(
  name: string,
  told: ContainerStatus | undefined,
  running: ContainerRecord | undefined,
): readonly string[] {
  if ((told?.state.running !== undefined) !== (running !== undefined))
    return [`${name}: another state was told`];
  if (running === undefined) return [];
  if (told?.containerID !== `simulated://${running.status.id}`) return [`${name}: another id was told`];
  return told.restartCount === running.status.metadata.attempt ? [] : [`${name}: another count was told`];
}

/** Whether a pod ends by itself, whatever happens to it. */
function mustBeOver({ spec }: Pod): boolean {
  const all = (spec.containers ?? []).map(({ image = '' }) => readBehaviour(image));
  const init = (spec.initContainers ?? []).map(({ image = '' }) => readBehaviour(image));
  const isInitialized = init.every(({ exit }) => exit?.code === 0);
  if (spec.restartPolicy === 'Never')
    return (
      !isInitialized || all.every(({ exit, diesAfterMs }) => exit !== undefined || diesAfterMs !== undefined)
    );
  return spec.restartPolicy === 'OnFailure' && isInitialized && all.every(({ exit }) => exit?.code === 0);
}
