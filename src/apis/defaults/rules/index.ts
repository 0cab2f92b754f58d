/**
 * Default rules that a constant cannot say, by the name that `defaults.json` uses. One file per area.
 */
import type { DefaultRule } from '../default-rule.ts';
import { cpuTarget, scalingBehavior } from './autoscaling.ts';
import {
  allocatableFromCapacity,
  limitRangeItem,
  podCidrAlias,
  podIpAlias,
  secretStringData,
} from './core.ts';
import { customNames, customVersions, storedVersions } from './custom-resource.ts';
import {
  dualStackFamilies,
  firstIngressProtocols,
  policyTypes,
  sessionAffinityConfig,
  targetPort,
} from './networking.ts';
import {
  dropInitContainerAnnotations,
  emptyDir,
  hostPorts,
  imagePullPolicy,
  requestsFromLimits,
  serviceAccountAlias,
} from './pod.ts';
import { signerName } from './signer-name.ts';
import {
  claimTemplateKinds,
  daemonSetRollingUpdate,
  deploymentRollingUpdate,
  firstDeploymentRollingUpdate,
  jobCompletions,
  labelsFromTemplate,
  matchLabelsFromTemplate,
  selectorFromTemplate,
  statefulSetUpdateStrategy,
} from './workload.ts';

/** Rules by name. */
export const defaultRules: Readonly<Record<string, DefaultRule>> = {
  allocatableFromCapacity,
  claimTemplateKinds,
  cpuTarget,
  customNames,
  customVersions,
  daemonSetRollingUpdate,
  deploymentRollingUpdate,
  dropInitContainerAnnotations,
  dualStackFamilies,
  emptyDir,
  firstDeploymentRollingUpdate,
  firstIngressProtocols,
  hostPorts,
  imagePullPolicy,
  jobCompletions,
  labelsFromTemplate,
  limitRangeItem,
  matchLabelsFromTemplate,
  podCidrAlias,
  podIpAlias,
  policyTypes,
  requestsFromLimits,
  scalingBehavior,
  secretStringData,
  selectorFromTemplate,
  serviceAccountAlias,
  sessionAffinityConfig,
  signerName,
  statefulSetUpdateStrategy,
  storedVersions,
  targetPort,
};
