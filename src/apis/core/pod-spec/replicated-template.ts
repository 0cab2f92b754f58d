import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../../machinery/errors/index.ts';
import type { LabelSelector } from '../../../machinery/selectors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { PodTemplateSpec, Volume } from '../../types/core-v1.ts';
import { goLabels } from '../../validation/index.ts';
import { checkPodTemplateSpec } from './pod-template-spec.ts';

/** What is asked of a selector here. */
export type TemplateSelector = Pick<LabelSelector, 'isEmpty' | 'matches'>;

/** What keeps pods of a template running. */
export interface ReplicatedTemplateOptions {
  readonly selector: TemplateSelector;
  readonly replicas: number;
  /** Kind that messages name; deployments appear as `ReplicaSet`. */
  readonly owner: 'ReplicaSet' | 'ReplicationController';
  readonly context: RuleContext;
}

/** All errors of a template whose pods are kept running, in release 1.20's order. */
export function checkReplicatedTemplate(
  errors: FieldError[],
  template: PodTemplateSpec,
  path: FieldPath,
  options: ReplicatedTemplateOptions,
): void {
  checkTemplateLabels(errors, template, options.selector, path);
  checkPodTemplateSpec(errors, template, path, options.context);
  if (options.replicas > 1) checkReadOnlyDisks(errors, template.spec.volumes, path.child('spec', 'volumes'));
  checkAlwaysRestarts(errors, template, path);
  checkNoDeadline(errors, template, path, options.owner);
}

/** The error of a selector that would not find the template's own pods. */
export function checkTemplateLabels(
  errors: FieldError[],
  template: PodTemplateSpec,
  selector: TemplateSelector,
  path: FieldPath,
): void {
  const { labels } = template.metadata;
  if (selector.isEmpty || selector.matches(labels)) return;
  const detail = '`selector` does not match template `labels`';
  errors.push(invalidValue(path.child('metadata', 'labels'), goLabels(template.metadata), detail));
}

/** Errors of disks that several pods cannot write at once. */
export function checkReadOnlyDisks(
  errors: FieldError[],
  volumes: readonly Volume[] | undefined,
  path: FieldPath,
): void {
  for (const [position, { gcePersistentDisk }] of (volumes ?? []).entries()) {
    if (!gcePersistentDisk || gcePersistentDisk.readOnly) continue;
    const detail =
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
    errors.push(invalidValue(path.index(position).child('gcePersistentDisk', 'readOnly'), false, detail));
  }
}

/** The error of a template whose pods would end. */
export function checkAlwaysRestarts(errors: FieldError[], template: PodTemplateSpec, path: FieldPath): void {
  const { restartPolicy = '' } = template.spec;
  if (restartPolicy === 'Always') return;
  errors.push(notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always']));
}

/** The error of a template whose pods would be stopped after a while. */
export function checkNoDeadline(
  errors: FieldError[],
  template: PodTemplateSpec,
  path: FieldPath,
  owner: string,
): void {
  if (template.spec.activeDeadlineSeconds === undefined) return;
  const detail = `activeDeadlineSeconds in ${owner} is not Supported`;
  errors.push(forbiddenField(path.child('spec', 'activeDeadlineSeconds'), detail));
}
