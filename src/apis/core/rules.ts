import type { KindRules, KindRulesTable } from '../kind-rules.ts';
import type { ServiceAccount } from '../types/core-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import { configMapRules } from './config-map.ts';
import { endpointsRules } from './endpoints.ts';
import { eventRules } from './event.ts';
import { limitRangeRules } from './limit-range.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './node.ts';
import { persistentVolumeRules } from './persistent-volume.ts';
import { persistentVolumeClaimRules } from './persistent-volume-claim.ts';
import { resourceQuotaRules } from './resource-quota.ts';
import { secretRules } from './secret.ts';
import { serviceRules } from './service.ts';

/** Service accounts. Of references to secrets only the name is kept. */
const serviceAccountRules: KindRules<ServiceAccount> = {
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate: keepNamesOfSecrets,
  prepareForUpdate: keepNamesOfSecrets,
};

function keepNamesOfSecrets(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

/** Rules of the core group's kinds, without pods and what makes pods. */
export const coreRules: KindRulesTable = {
  'v1.ConfigMap': configMapRules,
  'v1.Endpoints': endpointsRules,
  'v1.Event': eventRules,
  'v1.LimitRange': limitRangeRules,
  'v1.Namespace': namespaceRules,
  'v1.Node': nodeRules,
  'v1.PersistentVolume': persistentVolumeRules,
  'v1.PersistentVolumeClaim': persistentVolumeClaimRules,
  'v1.ResourceQuota': resourceQuotaRules,
  'v1.Secret': secretRules,
  'v1.Service': serviceRules,
  'v1.ServiceAccount': serviceAccountRules,
};
