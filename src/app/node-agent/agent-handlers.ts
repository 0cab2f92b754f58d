import type { NodeKeeper } from '../../nodeagent/node/index.ts';
import type { PodReports } from '../../nodeagent/reports/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { NodeFindings } from './agent-node.ts';
import type { AgentNotices } from './agent-notices.ts';
import type { AgentPods } from './agent-pods.ts';
import type { Handlers } from './notifier.ts';

interface HandlersInputs {
  readonly pods: Pick<AgentPods, 'table' | 'manager' | 'cpus' | 'devices'>;
  readonly keeper: Pick<NodeKeeper, 'update'>;
  readonly findings: NodeFindings;
  /** Undefined: there is no API server to report to. */
  readonly reports: PodReports | undefined;
}

/** Who is told of what: every connection between parts of the agent that do not know one another. */
export function agentHandlers(
  { dialect }: Pick<AgentBase, 'dialect'>,
  { pods: { table, manager, cpus, devices }, keeper, findings, reports }: HandlersInputs,
): Handlers<AgentNotices> {
  /** Static pods that are terminating count until they have gone. */
  const reportStatic = (): void => {
    if (table.knowsAllPods) reports?.setStatic(table.allPods().filter((pod) => isStaticPod(pod, dialect)));
  };
  return {
    sourceChanged(source, pods) {
      manager.setPods(source, pods);
      reportStatic();
    },
    mirrorsChanged: (mirrors) => reports?.setMirrors(mirrors),
    objectChanged: (podUid) => manager.notify(podUid, { now: true }),
    probeChanged: (podUid) => manager.notify(podUid),
    relisted: (listing) => manager.removeOrphans(listing),
    relistRecovered: () => void keeper.update(),
    runtimeChanged: (podUid) => manager.notify(podUid),
    podStatus: (pod, status) => reports?.setStatus(pod, status),
    podEnded(pod) {
      reports?.finish(pod);
      void cpus?.reconcile();
      devices?.release();
    },
    podGone(pod) {
      reports?.forget(pod.metadata.uid ?? '');
      reportStatic();
      void cpus?.reconcile();
      devices?.release();
    },
    devicesChanged: () => void keeper.update(),
    pressureChanged(pressure) {
      findings.pressure = pressure;
      void keeper.update();
    },
    shutdownChanged(shutdown) {
      findings.shutdown = shutdown;
      void keeper.update();
    },
    csiNodeChanged(problem) {
      findings.csiNodeProblem = problem;
      void keeper.update();
    },
    configChanged(status) {
      findings.config = status;
      void keeper.update();
    },
  };
}
