import type { Pod, PodTemplateSpec } from '../../apis/types/core-v1.ts';
import {
  decideRevision,
  holdsTemplate,
  type RevisionStep,
  type TemplateRevision,
} from '../revision-history/index.ts';
import { hashLabel } from './placement.ts';

/** What is to be done so that the template of now is the newest of a history, and there once. */
export interface HistoryPlan {
  readonly step: RevisionStep;
  /** Others that hold the template of now: they are deleted. */
  readonly duplicates: readonly TemplateRevision[];
  /** Pods of the duplicates: they get the hash of the revision that stays, and are not replaced. */
  readonly relabeled: readonly Pod[];
}

/**
 * How the history of a daemon set, which is sorted, comes to end with the template of now. Pure. Of equal revisions the newest stays.
 * Source: release 1.20, `constructHistory` and `dedupCurHistories`; there, pods of other templates are relabeled as well and so are
 * never updated.
 */
export function decideHistory(
  history: readonly TemplateRevision[],
  template: PodTemplateSpec,
  pods: readonly Pod[],
): HistoryPlan {
  const equal = history.filter((revision) => holdsTemplate(revision, template));
  const kept = equal.at(-1);
  const duplicates = equal.slice(0, -1);
  const hashes = new Set(duplicates.map(hashOf));
  if (kept !== undefined) hashes.delete(hashOf(kept));
  const relabeled = pods.filter(({ metadata }) => hashes.has(metadata.labels?.[hashLabel] ?? ''));
  return { step: stepOf(history, template, kept), duplicates, relabeled };
}

/** A number that another template has as well is not the newest. */
function stepOf(
  history: readonly TemplateRevision[],
  template: PodTemplateSpec,
  kept: TemplateRevision | undefined,
): RevisionStep {
  const step = decideRevision(history, template);
  const isShared = history.some(
    (other) => other.revision === kept?.revision && !holdsTemplate(other, template),
  );
  if (step.kind !== 'keep' || !isShared) return step;
  return { kind: 'renumber', revision: { ...step.revision, revision: step.revision.revision + 1 } };
}

/**
 * Revisions that are to go: of those before the current one the oldest beyond the limit, but none that pods have. Pure. Source:
 * release 1.20, `cleanupHistory` of daemon sets.
 */
export function surplusHistory(
  history: readonly TemplateRevision[],
  {
    current,
    pods,
    limit,
  }: { readonly current: string; readonly pods: readonly Pod[]; readonly limit: number },
): TemplateRevision[] {
  const used = new Set(pods.map(({ metadata }) => metadata.labels?.[hashLabel]));
  const old = history.filter(({ metadata }) => metadata.name !== current);
  const unused = old.filter((revision) => !used.has(hashOf(revision)));
  return unused.slice(0, Math.max(0, old.length - limit));
}

/** The hash that the pods of a revision have. */
export const hashOf = ({ metadata }: TemplateRevision): string =>
  metadata.labels?.[hashLabel] ?? metadata.name ?? '';
