import type { NamespaceCondition } from '../../apis/types/core-v1.ts';
import texts from './condition-texts.json' with { type: 'json' };
import type { ContentReport, RemainingContent } from './content-report.ts';

export interface ConditionOptions {
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** Spells a text of the data in the dialect. */
  readonly spell: (text: string) => string;
}

/**
 * The conditions of a namespace under deletion after one pass; undefined when they are the same as before. A
 * condition's time moves only when its status changes. Source: release 1.20, `status_condition_utils`.
 */
export function nextConditions(
  current: readonly NamespaceCondition[],
  report: ContentReport,
  { now, spell }: ConditionOptions,
): NamespaceCondition[] | undefined {
  const problems = findProblems(report);
  const next = [...current];
  let hasChanged = false;
  for (const { type, reason, message } of texts) {
    const wanted = problems.get(type) ?? { status: 'False', reason, message: spell(message) };
    const at = next.findIndex((condition) => condition.type === type);
    const old = next[at];
    if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) {
      continue;
    }
    hasChanged = true;
    const lastTransitionTime = old?.status === wanted.status ? old.lastTransitionTime : now;
    const condition = { type, ...wanted, lastTransitionTime };
    if (old === undefined) next.push(condition);
    else next[at] = condition;
  }
  return hasChanged ? next : undefined;
}

interface Problem {
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

function findProblems({
  discoveryFailures,
  deletionFailures,
  remaining,
}: ContentReport): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  const add = (type: string, reason: string, message: string): void =>
    void problems.set(type, { status: 'True', reason, message });
  if (discoveryFailures.length > 0) {
    const list = discoveryFailures
      .map(({ groupVersion, message }) => `${groupVersion}: ${message}`)
      .join(', ');
    add(
      'NamespaceDeletionDiscoveryFailure',
      'DiscoveryFailed',
      `Discovery failed for some groups, ${discoveryFailures.length} failing: unable to retrieve the complete list of server APIs: ${list}`,
    );
  }
  if (deletionFailures.length > 0) {
    add(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${deletionFailures.length} remaining: ${[...deletionFailures].sort().join(', ')}`,
    );
  }
  if (remaining.length > 0) {
    const list = remaining.map(({ resource, count }) => `${resource} has ${count} resource instances`);
    const message = `Some resources are remaining: ${list.sort().join(', ')}`;
    add('NamespaceContentRemaining', 'SomeResourcesRemain', message);
  }
  const finalizers = countFinalizers(remaining);
  if (finalizers.size > 0) {
    const list = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
    const message = `Some content in the namespace has finalizers remaining: ${list.sort().join(', ')}`;
    add('NamespaceFinalizersRemaining', 'SomeFinalizersRemain', message);
  }
  return problems;
}

function countFinalizers(remaining: readonly RemainingContent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { finalizers } of remaining) {
    for (const [name, count] of finalizers) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}
