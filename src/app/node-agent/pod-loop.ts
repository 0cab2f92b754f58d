import type { Pod } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import { admitPod } from '../../nodeagent/admission/index.ts';
import {
  type LifecycleParts,
  PodManager,
  PodViews,
  type RuntimeWatch,
  readTerminationMessage,
  removeLeftovers,
  watchRuntime,
} from '../../nodeagent/lifecycle/index.ts';
import { createPodReports, type PodReports } from '../../nodeagent/reports/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';
import { type AgentLinks, pressureOf } from './agent-links.ts';
import { countLook } from './count-metrics.ts';

/** How often what is left of pods is looked for: soon after the start, because an agent before may have been killed. */
const leftoverPeriodMs = 60_000;
const firstLeftoversMs = 2000;

/** What runs the pods, before anything has said which. */
export interface PodLoop {
  readonly manager: PodManager;
  readonly views: PodViews;
  readonly watch: RuntimeWatch;
}

/** Starts to look after pods and to report them; `links.sources` says later which. */
export function startPodLoop(
  base: AgentBase,
  parts: LifecycleParts,
  { links, stack }: { readonly links: AgentLinks; readonly stack: AsyncDisposableStack },
): PodLoop {
  const { dialect, clock, logger, driver, signal } = base;
  const views = new PodViews({
    runtime: driver.runtime,
    dialect,
    readMessage: (status) => readTerminationMessage(status, dialect),
  });
  const reports = makeReports(base, links);
  if (reports !== undefined) links.reports = stack.use(reports);
  const manager = new PodManager({
    parts,
    views,
    admit: (pod, others) => admit(pod, others, base, links),
    knowsAllPods: () => links.sources?.haveSpoken() === true,
    onStatus: (pod, status) => reports?.setStatus(pod, status),
    onEnded(pod) {
      reports?.finish(pod);
      void links.processors?.reconcile();
    },
    onGone(pod) {
      reports?.forget(pod.metadata.uid ?? '');
      reportStatic(base, links);
      void links.processors?.reconcile();
    },
  });
  links.manager = manager;
  stack.defer(() => manager.close());
  const watch = watchRuntime({
    views,
    clock,
    logger,
    signal,
    onChange: (podUid) => manager.wake(podUid),
    onListing: (listing) => manager.removeOrphans(listing),
    onLook: (look) => countLook(look, base.metrics),
  });
  links.watch = watch;
  void keepTidy({ manager, views, watch }, parts, { links, signal });
  return { manager, views, watch };
}

/** Tells the API server which static pods there are: also those that are on their way out, until they have gone. */
export function reportStatic(
  { dialect }: Pick<AgentBase, 'dialect'>,
  { reports, manager, sources }: AgentLinks,
): void {
  if (reports === undefined || manager === undefined || sources?.haveSpoken() !== true) return;
  reports.setStatic(manager.allPods().filter((pod) => isStaticPod(pod, dialect)));
}

function makeReports(
  { clients, nodeName, dialect, clock, logger }: AgentBase,
  links: AgentLinks,
): PodReports | undefined {
  if (clients === undefined) return undefined;
  const nodeUid = (): string | undefined => {
    const metadata = links.node?.node()?.metadata;
    return metadata?.deletionTimestamp === undefined ? metadata?.uid : undefined;
  };
  return createPodReports({ client: clients.main, nodeName, nodeUid, dialect, clock, logger });
}

function admit(
  pod: Pod,
  others: readonly Pod[],
  { nodeName, config, dialect }: AgentBase,
  links: AgentLinks,
) {
  const refusal = links.shutdown?.refusal();
  if (refusal !== undefined) return { kind: 'refused', ...refusal } as const;
  const { labels = {}, allocatable = {} } = links.node?.state() ?? {};
  const processors = links.processors?.plan(pod);
  const admission = admitPod({
    pod,
    others,
    node: { name: nodeName, labels, allocatable, pressure: pressureOf(links) },
    isStatic: (each) => isStaticPod(each, dialect),
    resourceRefusal: processors?.refusal,
    config,
    dialect,
  });
  if (admission.kind === 'admitted') processors?.commit();
  return admission;
}

/** Weighs the classes of pods and removes what is left of pods that are gone, now and then. Never rejects. */
async function keepTidy(
  { manager, views, watch }: PodLoop,
  { volumes, cgroups, clock, logger }: LifecycleParts,
  { links, signal }: { readonly links: AgentLinks; readonly signal: AbortSignal },
): Promise<void> {
  let periodMs = firstLeftoversMs;
  while (await pause(clock, periodMs, signal)) {
    await cgroups?.updateQos(manager.activePods()).catch((error: unknown) => {
      logger.error('the classes of pods could not be weighed', { error });
    });
    const { failure, answeredAtMs } = watch;
    // Before the first answer nobody knows what still runs.
    if (links.sources?.haveSpoken() !== true || failure !== undefined || answeredAtMs === undefined) continue;
    periodMs = leftoverPeriodMs;
    const { sandboxes, containers } = watch.listing;
    const inRuntime = new Set([...sandboxes, ...containers].map((each) => views.podUidOf(each)));
    const isKnown = (podUid: string): boolean => manager.knows(podUid) || inRuntime.has(podUid);
    await removeLeftovers({ volumes, cgroups, isKnown, logger });
  }
}
