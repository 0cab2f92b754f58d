/**
 * The built-in kinds: data about types and resources, and per group the rules that data cannot say. This file
 * gathers the rules of all groups; the rest is reached through the folders' own indexes.
 */
import { admissionregistrationRules } from './admissionregistration/index.ts';
import { apiextensionsRules } from './apiextensions/index.ts';
import { apiregistrationRules } from './apiregistration/index.ts';
import { appsRules } from './apps/index.ts';
import { autoscalingRules } from './autoscaling/index.ts';
import { batchRules } from './batch/index.ts';
import { certificatesRules } from './certificates/index.ts';
import { coordinationRules } from './coordination/index.ts';
import { coreRules, podRulesTable } from './core/index.ts';
import { discoveryRules } from './discovery/index.ts';
import { flowcontrolRules } from './flowcontrol/index.ts';
import { internalApiserverRules } from './internal-apiserver/index.ts';
import type { KindRulesTable } from './kind-rules.ts';
import { networkingRules } from './networking/index.ts';
import { nodeGroupRules } from './node/index.ts';
import { policyRules } from './policy/index.ts';
import { rbacRules } from './rbac/index.ts';
import { schedulingRules } from './scheduling/index.ts';
import { storageRules } from './storage/index.ts';

export type { KindRules, KindRulesTable, RuleContext, UserInfo, WriteRules } from './kind-rules.ts';
export { type UpdateCheck, updateChecksOf } from './metadata-checks.ts';
export type { WebhookClient } from './webhook-client.ts';

/** Rules of every built-in kind that is stored, by storage kind in the orch dialect. */
export const kindRules: KindRulesTable = {
  ...admissionregistrationRules,
  ...apiextensionsRules,
  ...apiregistrationRules,
  ...appsRules,
  ...autoscalingRules,
  ...batchRules,
  ...certificatesRules,
  ...coordinationRules,
  ...coreRules,
  ...podRulesTable,
  ...discoveryRules,
  ...flowcontrolRules,
  ...internalApiserverRules,
  ...networkingRules,
  ...nodeGroupRules,
  ...policyRules,
  ...rbacRules,
  ...schedulingRules,
  ...storageRules,
};
