import { ContainerConfigurer, type ContainerConfigurerOptions } from './container-configurer.ts';
import { ContainerStarter, type ContainerStarterOptions } from './container-starter.ts';
import { ContainerStopper, type ContainerStopperOptions } from './container-stopper.ts';
import type { PlanExecutionOptions } from './plan-execution.ts';
import type { PlanRunOptions } from './plan-run.ts';
import { PodDecider, type PodDeciderOptions } from './pod-decider.ts';
import type { PodHoldingsOptions } from './pod-holdings.ts';
import { PodManager, type PodManagerOptions } from './pod-manager.ts';
import { PodPreparer, type PodPreparerOptions } from './pod-preparer.ts';
import { PodWorker, type PodWorkerParts } from './pod-worker.ts';
import { SandboxMaker, type SandboxMakerOptions } from './sandbox-maker.ts';

/** Everything that is made here from what is given, and given on. */
type MadeHere =
  | 'configurer'
  | 'decider'
  | 'holdings'
  | 'makeWorker'
  | 'plans'
  | 'preparer'
  | 'sandboxes'
  | 'starter'
  | 'stopper';

/** What each part of running pods declares that it takes, together: leaving one out does not compile. */
export type PodManagerParts = Omit<
  ContainerStopperOptions &
    ContainerConfigurerOptions &
    ContainerStarterOptions &
    SandboxMakerOptions &
    PodPreparerOptions &
    PlanExecutionOptions &
    PlanRunOptions &
    PodDeciderOptions &
    PodHoldingsOptions &
    PodWorkerParts &
    PodManagerOptions,
  MadeHere
>;

/** Builds what runs pods, in order of dependency. Nothing begins before the manager is told of pods. */
export function createPodManager(parts: PodManagerParts): PodManager {
  const stopper = new ContainerStopper(parts);
  const configurer = new ContainerConfigurer(parts);
  const starter = new ContainerStarter({ ...parts, configurer, stopper });
  const preparer = new PodPreparer(parts);
  const sandboxes = new SandboxMaker(parts);
  const plans: PlanRunOptions = { ...parts, preparer, sandboxes, starter, stopper };
  const decider = new PodDecider(parts);
  const holdings: PodHoldingsOptions = { ...parts, preparer };
  const shared: PodWorkerParts = { ...parts, plans, decider, holdings };
  return new PodManager({ ...parts, makeWorker: (request) => new PodWorker(request, shared) });
}
