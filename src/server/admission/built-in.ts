import type { AdmissionAttributes } from '../../registry/index.ts';
import type { PluginSources } from './options.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificates.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/default-classes.ts';
import {
  denyEscalatingExec,
  denyExecOnPrivileged,
  limitPodHardAntiAffinityTopology,
  securityContextDeny,
} from './plugins/denials.ts';
import { eventRateLimit } from './plugins/event-rate-limit.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { namespaceAutoProvision, namespaceExists, namespaceLifecycle } from './plugins/namespaces.ts';
import { nodeRestriction } from './plugins/node-restriction.ts';
import { persistentVolumeLabel } from './plugins/persistent-volume-label.ts';
import { podNodeSelector } from './plugins/pod-node-selector.ts';
import { podTolerationRestriction } from './plugins/pod-toleration-restriction.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { serviceAccount } from './plugins/service-account.ts';
import {
  defaultTolerationSeconds,
  extendedResourceToleration,
  taintNodesByCondition,
} from './plugins/taints.ts';
import { persistentVolumeClaimResize, storageObjectInUseProtection } from './plugins/volume-claims.ts';
import { refuse } from './refusal.ts';

/** Lets everything pass. It exists because configurations name it. */
function alwaysAdmit(): AdmissionPlugin {
  return { name: 'AlwaysAdmit', handles: () => false };
}

/** Refuses every write. */
function alwaysDeny(): AdmissionPlugin {
  const deny = (attributes: AdmissionAttributes): void => {
    throw refuse(attributes, 'admission control is denying all modifications');
  };
  return { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny };
}

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
