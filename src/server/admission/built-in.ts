import type { PluginSources } from './options.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { alwaysAdmit, alwaysDeny } from './plugins/always.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificates.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/default-classes.ts';
import { denyEscalatingExec, denyExecOnPrivileged } from './plugins/deny-exec.ts';
import { eventRateLimit } from './plugins/event-rate-limit.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { namespaceAutoProvision, namespaceExists } from './plugins/namespace-existence.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeRestriction } from './plugins/node-restriction.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import { persistentVolumeLabel } from './plugins/persistent-volume-label.ts';
import { podNodeSelector } from './plugins/pod-node-selector.ts';
import { podTolerationRestriction } from './plugins/pod-toleration-restriction.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { securityContextDeny } from './plugins/security-context-deny.ts';
import { serviceAccount } from './plugins/service-account.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { defaultTolerationSeconds, extendedResourceToleration } from './plugins/tolerations.ts';

/** Makes a plugin. */
export type PluginFactory = (sources: PluginSources) => AdmissionPlugin;

/** The plugins of this folder by the name that configurations use. */
export const builtInPlugins: Readonly<Record<string, PluginFactory>> = {
  AlwaysAdmit: alwaysAdmit,
  AlwaysDeny: alwaysDeny,
  AlwaysPullImages: alwaysPullImages,
  CertificateApproval: certificateApproval,
  CertificateSigning: certificateSigning,
  CertificateSubjectRestriction: certificateSubjectRestriction,
  DefaultIngressClass: defaultIngressClass,
  DefaultStorageClass: defaultStorageClass,
  DefaultTolerationSeconds: defaultTolerationSeconds,
  DenyEscalatingExec: denyEscalatingExec,
  DenyExecOnPrivileged: denyExecOnPrivileged,
  EventRateLimit: eventRateLimit,
  ExtendedResourceToleration: extendedResourceToleration,
  LimitPodHardAntiAffinityTopology: limitPodHardAntiAffinityTopology,
  LimitRanger: limitRanger,
  NamespaceAutoProvision: namespaceAutoProvision,
  NamespaceExists: namespaceExists,
  NamespaceLifecycle: namespaceLifecycle,
  NodeRestriction: nodeRestriction,
  PersistentVolumeClaimResize: persistentVolumeClaimResize,
  PersistentVolumeLabel: persistentVolumeLabel,
  PodNodeSelector: podNodeSelector,
  PodTolerationRestriction: podTolerationRestriction,
  Priority: priority,
  ResourceQuota: resourceQuota,
  RuntimeClass: runtimeClass,
  SecurityContextDeny: securityContextDeny,
  ServiceAccount: serviceAccount,
  StorageObjectInUseProtection: storageObjectInUseProtection,
  TaintNodesByCondition: taintNodesByCondition,
};
