/**
 * Conversions between served and storage versions of kinds whose versions differ in shape. Versions that are equal in
 * shape need none. Source: conversion rules of release 1.20.
 */
import { ingressConversion } from './ingress.ts';
import { renameFields } from './rename-fields.ts';
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

/** Conversions by served kind, `group/version.Kind` in the orch dialect. */
export const versionConversions: ReadonlyMap<string, VersionConversion> = new Map([
  ['events.orch.io/v1.Event', eventConversion],
  ['events.orch.io/v1beta1.Event', eventConversion],
  ['networking.orch.io/v1.Ingress', ingressConversion],
]);

/**
 * Served kinds whose shape differs from the stored one and that have no conversion yet: what the stored version has
 * no field for is lost.
 */
export const missingConversions: readonly string[] = [
  'autoscaling/v2beta1.HorizontalPodAutoscaler',
  'autoscaling/v2beta2.HorizontalPodAutoscaler',
  'apiextensions.orch.io/v1.CustomResourceDefinition',
  'rbac.authorization.orch.io/v1alpha1.RoleBinding',
  'rbac.authorization.orch.io/v1alpha1.ClusterRoleBinding',
  'node.orch.io/v1alpha1.RuntimeClass',
];
