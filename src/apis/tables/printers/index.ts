/**
 * Row printers by resource, in the orch dialect. One file per area; columns are data (`columns.json`).
 */
import type { RowPrinter } from '../row-printer.ts';
import { bindingPrinter, certificateSigningRequestPrinter, podSecurityPolicyPrinter } from './access.ts';
import { horizontalPodAutoscalerPrinter } from './autoscaling.ts';
import { cronJobPrinter, jobPrinter } from './batch.ts';
import {
  admissionPolicyPrinter,
  apiServicePrinter,
  leasePrinter,
  podDisruptionBudgetPrinter,
  policyBindingPrinter,
  priorityClassPrinter,
  runtimeClassPrinter,
  storageVersionPrinter,
  webhookConfigurationPrinter,
} from './cluster.ts';
import {
  componentStatusPrinter,
  configMapPrinter,
  namespacePrinter,
  resourceQuotaPrinter,
  secretPrinter,
  serviceAccountPrinter,
} from './core.ts';
import { eventPrinter, regardingEventPrinter } from './event.ts';
import { flowSchemaPrinter, priorityLevelPrinter } from './flow-control.ts';
import { ingressClassPrinter, ingressPrinter, networkPolicyPrinter } from './network.ts';
import { nodePrinter } from './node.ts';
import { podPrinter } from './pod.ts';
import { endpointSlicePrinter, endpointsPrinter, servicePrinter } from './service.ts';
import {
  csiDriverPrinter,
  csiNodePrinter,
  persistentVolumeClaimPrinter,
  persistentVolumePrinter,
  storageClassPrinter,
  volumeAttachmentPrinter,
} from './volume.ts';
import {
  controllerRevisionPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  podTemplatePrinter,
  replicaSetPrinter,
  replicationControllerPrinter,
  statefulSetPrinter,
} from './workload.ts';

/** Printers by `resource.group`; each takes objects of every version of its resource. */
export const rowPrinters: Readonly<Record<string, RowPrinter<never>>> = {
  componentstatuses: componentStatusPrinter,
  configmaps: configMapPrinter,
  endpoints: endpointsPrinter,
  events: eventPrinter,
  'events.events.orch.io': regardingEventPrinter,
  namespaces: namespacePrinter,
  nodes: nodePrinter,
  persistentvolumeclaims: persistentVolumeClaimPrinter,
  persistentvolumes: persistentVolumePrinter,
  pods: podPrinter,
  podtemplates: podTemplatePrinter,
  replicationcontrollers: replicationControllerPrinter,
  resourcequotas: resourceQuotaPrinter,
  secrets: secretPrinter,
  serviceaccounts: serviceAccountPrinter,
  services: servicePrinter,
  'apiservices.apiregistration.orch.io': apiServicePrinter,
  'controllerrevisions.apps': controllerRevisionPrinter,
  'daemonsets.apps': daemonSetPrinter,
  'deployments.apps': deploymentPrinter,
  'replicasets.apps': replicaSetPrinter,
  'statefulsets.apps': statefulSetPrinter,
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerPrinter,
  'jobs.batch': jobPrinter,
  'cronjobs.batch': cronJobPrinter,
  'certificatesigningrequests.certificates.orch.io': certificateSigningRequestPrinter,
  'ingressclasses.networking.orch.io': ingressClassPrinter,
  'ingresses.networking.orch.io': ingressPrinter,
  'ingresses.extensions': ingressPrinter,
  'networkpolicies.networking.orch.io': networkPolicyPrinter,
  'poddisruptionbudgets.policy': podDisruptionBudgetPrinter,
  'podsecuritypolicies.policy': podSecurityPolicyPrinter,
  'clusterrolebindings.rbac.authorization.orch.io': bindingPrinter,
  'rolebindings.rbac.authorization.orch.io': bindingPrinter,
  'csidrivers.storage.orch.io': csiDriverPrinter,
  'csinodes.storage.orch.io': csiNodePrinter,
  'storageclasses.storage.orch.io': storageClassPrinter,
  'volumeattachments.storage.orch.io': volumeAttachmentPrinter,
  'mutatingwebhookconfigurations.admissionregistration.orch.io': webhookConfigurationPrinter,
  'validatingadmissionpolicies.admissionregistration.orch.io': admissionPolicyPrinter,
  'validatingadmissionpolicybindings.admissionregistration.orch.io': policyBindingPrinter,
  'validatingwebhookconfigurations.admissionregistration.orch.io': webhookConfigurationPrinter,
  'priorityclasses.scheduling.orch.io': priorityClassPrinter,
  'leases.coordination.orch.io': leasePrinter,
  'runtimeclasses.node.orch.io': runtimeClassPrinter,
  'endpointslices.discovery.orch.io': endpointSlicePrinter,
  'flowschemas.flowcontrol.apiserver.orch.io': flowSchemaPrinter,
  'prioritylevelconfigurations.flowcontrol.apiserver.orch.io': priorityLevelPrinter,
  'storageversions.internal.apiserver.orch.io': storageVersionPrinter,
};
