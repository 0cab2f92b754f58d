/**
 * Rules of the group `apps`: what workloads may look like and how they change, and the scale of anything that
 * has replicas. It does not run workloads; that is the controllers' work.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { controllerRevisionRules } from './controller-revision.ts';
import { daemonSetRules } from './daemon-set.ts';
import { deploymentRules } from './deployment.ts';
import { replicaSetRules } from './replica-set.ts';
import { statefulSetRules } from './stateful-set.ts';

export { applyScale, type Scalable, toScale, validateScale } from './scale.ts';
export { controllerRevisionRules, daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules };

/** Rules by storage kind. */
export const appsRules: KindRulesTable = {
  'apps/v1.ControllerRevision': controllerRevisionRules,
  'apps/v1.DaemonSet': daemonSetRules,
  'apps/v1.Deployment': deploymentRules,
  'apps/v1.ReplicaSet': replicaSetRules,
  'apps/v1.StatefulSet': statefulSetRules,
};
