import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import { accessReviewConversion } from './access-review.ts';
import { autoscalerConversions, settledAutoscalers } from './autoscaler/index.ts';
import { customResourceDefinitionConversion } from './custom-resource-definition.ts';
import { ingressConversion } from './ingress.ts';
import { renameFields } from './rename-fields.ts';
import { roleBindingConversion } from './role-binding.ts';
import { runtimeClassConversion } from './runtime-class.ts';
import { scaleConversion } from './scale.ts';
import type { VersionConversion } from './version-conversion.ts';
import { rollbackConversion, settleTemplateGeneration, templateGenerationConversion } from './workload.ts';

const eventConversion = renameFields(
  [
    ['regarding', 'involvedObject'],
    ['note', 'message'],
    ['deprecatedSource', 'source'],
    ['deprecatedFirstTimestamp', 'firstTimestamp'],
    ['deprecatedLastTimestamp', 'lastTimestamp'],
    ['deprecatedCount', 'count'],
    ['reportingController', 'reportingComponent'],
  ],
  ['reportingComponent', 'reportingInstance'],
);

/** Conversions by kind, `group/version.Kind` in the orch dialect; what they convert is in the given one. */
export function versionConversions(
  dialect: Dialect,
  catalog: TypeCatalog,
): ReadonlyMap<string, VersionConversion> {
  const bindingConversion = roleBindingConversion(dialect);
  return new Map([
    ['apiextensions.orch.io/v1.CustomResourceDefinition', customResourceDefinitionConversion],
    ['apps/v1beta1.Deployment', rollbackConversion],
    ['apps/v1beta1.Scale', scaleConversion],
    ['apps/v1beta2.Scale', scaleConversion],
    ['authorization.orch.io/v1beta1.LocalSubjectAccessReview', accessReviewConversion],
    ['authorization.orch.io/v1beta1.SubjectAccessReview', accessReviewConversion],
    ['events.orch.io/v1.Event', eventConversion],
    ['events.orch.io/v1beta1.Event', eventConversion],
    ['extensions/v1beta1.DaemonSet', templateGenerationConversion],
    ['extensions/v1beta1.Deployment', rollbackConversion],
    ['extensions/v1beta1.Scale', scaleConversion],
    ['networking.orch.io/v1.Ingress', ingressConversion],
    ['node.orch.io/v1alpha1.RuntimeClass', runtimeClassConversion],
    ['rbac.authorization.orch.io/v1alpha1.ClusterRoleBinding', bindingConversion],
    ['rbac.authorization.orch.io/v1alpha1.RoleBinding', bindingConversion],
    ...autoscalerConversions(dialect, catalog),
  ]);
}

/**
 * How objects of a version come back from release 1.20's own form, by kind as above, where that adds, drops or rewrites
 * annotations: owners are recorded of that. What is given may be used up; what comes back need not be canonical.
 */
export function settledVersions(
  dialect: Dialect,
  catalog: TypeCatalog,
): ReadonlyMap<string, (object: ApiObject) => ApiObject> {
  return new Map([['apps/v1.DaemonSet', settleTemplateGeneration], ...settledAutoscalers(dialect, catalog)]);
}
