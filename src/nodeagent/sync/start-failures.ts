import { type BackOff, type BackOffs, nextBackOff } from './back-off.ts';
import { groupInstances } from './instances.ts';
import type { PodMemory, StartFailure } from './pod-input.ts';
import type { DesiredContainer, DesiredPod, ObservedPod } from './pod-state.ts';

/** Wait before a start is tried again that failed otherwise than by its image (as release 1.20 syncs after errors). */
const retryMs = 10_000;
/** How long the error of a pull is shown before the wait for the next one is. */
const pullErrorShownMs = 5000;
const pullFailures: ReadonlySet<string> = new Set(['ErrImagePull', 'RegistryUnavailable']);
/** Reasons of instances that came to be and ended; the crash-loop back-off speaks for them. */
const afterCreation: ReadonlySet<string> = new Set([
  'RunContainerError',
  'PostStartHookError',
  'CrashLoopBackOff',
]);

/** How the start of a container went. */
export interface StartResult {
  readonly name: string;
  readonly specHash: string;
  readonly image: string;
  /** Left out when it succeeded. */
  readonly failure?: { readonly reason: string; readonly message: string } | undefined;
  readonly nowMs: number;
}

/** The memory after a start was tried: failures say when to try again, pulls with growing waits per image. */
export function recordStart(memory: PodMemory, result: StartResult): PodMemory {
  const { name, specHash, image, failure, nowMs } = result;
  const failures = new Map(memory.failures);
  const imageBackOffs = new Map(memory.imageBackOffs);
  if (failure === undefined) {
    failures.delete(name);
    imageBackOffs.delete(image);
  } else {
    const delayMs = pullFailures.has(failure.reason)
      ? enterPullBackOff(imageBackOffs, image, nowMs)
      : retryMs;
    failures.set(name, { ...failure, specHash, atMs: nowMs, retryAtMs: nowMs + delayMs });
  }
  return { ...memory, failures, imageBackOffs };
}

function enterPullBackOff(imageBackOffs: Map<string, BackOff>, image: string, nowMs: number): number {
  const next = nextBackOff(imageBackOffs.get(image), nowMs, nowMs);
  imageBackOffs.set(image, next);
  return next.delayMs;
}

/** Failures that still say something: of containers that the pod has as they were, and that do not run. */
export function keepFailures(
  { initContainers, containers, ephemeralContainers = [] }: DesiredPod,
  observed: ObservedPod,
  failures: PodMemory['failures'],
): Map<string, StartFailure> {
  const all = [...initContainers, ...containers, ...ephemeralContainers];
  const hashes = new Map(all.map(({ name, specHash }) => [name, specHash]));
  const instances = groupInstances(observed.containers);
  return new Map(
    [...failures].filter(([name, { specHash }]) => {
      return hashes.get(name) === specHash && instances.get(name)?.[0]?.state !== 'running';
    }),
  );
}

/** Back-offs of images that the pod still has. */
export function keepImageBackOffs(imageBackOffs: BackOffs, images: ReadonlySet<string>): BackOffs {
  return new Map([...imageBackOffs].filter(([image]) => images.has(image)));
}

/** Until when containers must not be started because their last start failed; by name. */
export function findHolds(
  observed: ObservedPod,
  failures: ReadonlyMap<string, StartFailure>,
  nowMs: number,
): Map<string, number> {
  const instances = groupInstances(observed.containers);
  const holds = new Map<string, number>();
  for (const [name, { reason, retryAtMs }] of failures) {
    const hasEnded = instances.get(name)?.[0]?.state === 'exited';
    if (retryAtMs > nowMs && !(hasEnded && isAfterCreation(reason))) holds.set(name, retryAtMs);
  }
  return holds;
}

/** Some reasons go on with a colon and what exactly failed. */
function isAfterCreation(reason: string): boolean {
  const [word = ''] = reason.split(':', 1);
  return afterCreation.has(word);
}

/** How a failure is shown now: the error of a pull gives way to the wait for the next one. */
export function showFailure(
  failure: StartFailure,
  { image }: { readonly image?: string | undefined },
  nowMs: number,
): { readonly reason: string; readonly message: string } {
  const { reason, message } = failure;
  if (!pullFailures.has(reason) || nowMs < failure.atMs + pullErrorShownMs) return { reason, message };
  return { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image ?? ''}"` };
}

/** When the way in which a failure is shown changes by itself, or it is tried again. */
export function nextFailureChangeMs({ reason, atMs, retryAtMs }: StartFailure, nowMs: number): number {
  const shownUntilMs = atMs + pullErrorShownMs;
  return pullFailures.has(reason) && nowMs < shownUntilMs ? shownUntilMs : retryAtMs;
}

/** The failure that stands for a crash-loop back-off; its text is that of release 1.20. */
export function crashLoopFailure(
  { name: podName, namespace, uid }: DesiredPod,
  { name, specHash }: DesiredContainer,
  wait: { readonly delay: string; readonly untilMs: number; readonly nowMs: number },
): StartFailure {
  return {
    reason: 'CrashLoopBackOff',
    message: `back-off ${wait.delay} restarting failed container=${name} pod=${podName}_${namespace}(${uid})`,
    specHash,
    atMs: wait.nowMs,
    retryAtMs: wait.untilMs,
  };
}
