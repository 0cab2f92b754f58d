import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import type { SubjectAccessReview } from '../types/authorization-v1.ts';
import type { SubjectAccessReview as OlderReview } from '../types/authorization-v1beta1.ts';
import type { RuntimeClass as StoredRuntimeClass } from '../types/node-v1.ts';
import type { RuntimeClass } from '../types/node-v1alpha1.ts';
import { autoscalerConversions, settledAutoscalers } from './autoscaler/autoscaler-conversions.ts';
import { customResourceDefinitionConversion } from './custom-resource-definition.ts';
import { ingressConversion } from './ingress.ts';
import { roleBindingConversion } from './role-binding.ts';
import { scaleConversion } from './scale.ts';
import { convertKind, type VersionConversion } from './version-conversion.ts';
import { rollbackConversion, settleTemplateGeneration, templateGenerationConversion } from './workload.ts';

/**
 * A conversion that renames fields at the top of an object: pairs of the served and the stored name. `texts` are fields
 * that a stored object always has, and that a served one may leave out.
 */
function renameFields(
  pairs: ReadonlyArray<readonly [served: string, stored: string]>,
  texts: readonly string[] = [],
): VersionConversion {
  const toStored = new Map(pairs);
  const toServed = new Map(pairs.map(([served, stored]) => [stored, served]));
  return {
    toStorage(object) {
      const stored = renamed(object, toStored);
      const empty = texts.filter((name) => !(name in stored)).map((name) => [name, '']);
      return Object.assign(stored, Object.fromEntries(empty));
    },
    fromStorage: (object) => renamed(object, toServed),
  };
}

function renamed(object: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const entries = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]);
  // Only fields beyond the common ones are renamed, so it is still an object.
  return Object.fromEntries(entries) as ApiObject;
}

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

/**
 * Reviews of a subject's access in `authorization/v1beta1`, whose `group` later became `groups`. Reviews are not
 * stored: the version that all others convert through is `v1`. Local reviews have the same spec.
 */
const accessReviewConversion = convertKind<OlderReview, SubjectAccessReview>({
  toStorage(object) {
    const { spec, ...rest } = object;
    const { group: groups, ...others } = spec;
    const review: SubjectAccessReview = { ...rest, spec: { ...others, groups } };
    return review;
  },
  fromStorage(object) {
    const { spec, ...rest } = object;
    const { groups: group, ...others } = spec;
    const review: OlderReview = { ...rest, spec: { ...others, group } };
    return review;
  },
});

/** Runtime classes of `node/v1alpha1`, which have a `spec` that later versions lifted to the top. */
const runtimeClassConversion = convertKind<RuntimeClass, StoredRuntimeClass>({
  toStorage(object) {
    const { spec, ...rest } = object;
    const { runtimeHandler: handler, overhead, scheduling } = spec;
    const stored: StoredRuntimeClass = { ...rest, handler, overhead, scheduling };
    return stored;
  },
  fromStorage(object) {
    const { handler, overhead, scheduling, ...rest } = object;
    const served: RuntimeClass = { ...rest, spec: { runtimeHandler: handler, overhead, scheduling } };
    return served;
  },
});
