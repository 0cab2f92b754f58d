/**
 * Conversions between served and storage versions of kinds whose versions differ in shape. Versions that are equal in
 * shape need none. Source: conversion rules of release 1.20.
 */
import type { Dialect } from '../../machinery/dialect.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import { autoscalerConversions } from './autoscaler/index.ts';
import { ingressConversion } from './ingress.ts';
import { renameFields } from './rename-fields.ts';
import { roleBindingConversion } from './role-binding.ts';
import { runtimeClassConversion } from './runtime-class.ts';
import type { VersionConversion } from './version-conversion.ts';

export type { VersionConversion };

const eventConversion = renameFields([
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
]);

/** Conversions by served kind, `group/version.Kind` in the orch dialect; what they convert is in the given one. */
export function versionConversions(
  dialect: Dialect,
  catalog: TypeCatalog,
): ReadonlyMap<string, VersionConversion> {
  const bindingConversion = roleBindingConversion(dialect);
  return new Map([
    ['events.orch.io/v1.Event', eventConversion],
    ['events.orch.io/v1beta1.Event', eventConversion],
    ['networking.orch.io/v1.Ingress', ingressConversion],
    ['node.orch.io/v1alpha1.RuntimeClass', runtimeClassConversion],
    ['rbac.authorization.orch.io/v1alpha1.ClusterRoleBinding', bindingConversion],
    ['rbac.authorization.orch.io/v1alpha1.RoleBinding', bindingConversion],
    ...autoscalerConversions(dialect, catalog),
  ]);
}

/**
 * Served kinds whose shape differs from the stored one and that have no conversion yet: what the stored version has
 * no field for is lost.
 */
export const missingConversions: readonly string[] = ['apiextensions.orch.io/v1.CustomResourceDefinition'];
