import type { Deployment, ReplicaSet } from '../../apis/types/apps-v1.ts';
import { parseInt64 } from '../../machinery/go-values/index.ts';
import {
  copiedAnnotations,
  type DeploymentAnnotations,
  hasSameTemplate,
  newestRevisions,
  revisionIn,
  withoutHash,
} from './revisions.ts';

/** What becomes of a request to go back to an older revision. */
export interface Rollback {
  /** The deployment without the request, with the older template if there is one. */
  readonly updated: Deployment;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Whether somebody asks for an older revision. What is no number asks for nothing. */
export const isRollbackRequested = (
  { metadata }: Deployment,
  { rollbackTo }: DeploymentAnnotations,
): boolean => parseInt64(metadata.annotations?.[rollbackTo] ?? '') !== undefined;

const unchanged = 'The rollback revision contains the same template as current deployment';

/**
 * Carries out the request that the annotation of a deployment holds, as clients of `extensions/v1beta1` make it: a revision, or 0
 * for the one before. Pure. Source: release 1.20, `rollback`.
 */
export function decideRollback(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  names: DeploymentAnnotations,
): Rollback {
  const { metadata } = deployment;
  const { [names.rollbackTo]: request = '0', ...annotations } = metadata.annotations ?? {};
  const cleared = { ...deployment, metadata: { ...metadata, annotations } };
  const revision = parseInt64(request) || newestRevisions(sets, names.revision)[1];
  const reason = 'DeploymentRollbackRevisionNotFound';
  if (revision === 0n) {
    return { updated: cleared, type: 'Warning', reason, message: 'Unable to find last revision.' };
  }
  const set = sets.find(({ metadata }) => revisionIn(metadata.annotations, names.revision) === revision);
  if (set === undefined) {
    return {
      updated: cleared,
      type: 'Warning',
      reason,
      message: 'Unable to find the revision to rollback to.',
    };
  }
  if (hasSameTemplate(set.spec.template, deployment.spec.template)) {
    return {
      updated: cleared,
      type: 'Warning',
      reason: 'DeploymentRollbackTemplateUnchanged',
      message: `${unchanged} "${metadata.name}"`,
    };
  }
  const own = Object.entries(annotations).filter(([name]) => Object.values(names).includes(name));
  return {
    updated: {
      ...deployment,
      metadata: {
        ...metadata,
        annotations: { ...Object.fromEntries(own), ...copiedAnnotations(set, names) },
      },
      spec: { ...deployment.spec, template: withoutHash(set.spec.template) },
    },
    type: 'Normal',
    reason: 'DeploymentRollback',
    message: `Rolled back deployment "${metadata.name}" to revision ${revision}`,
  };
}
