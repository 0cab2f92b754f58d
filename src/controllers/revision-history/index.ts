/** Templates that an owner had, kept as controller revisions. Pure: it decides, and writes nothing. */
import type { ControllerRevision } from '../../apis/types/apps-v1.ts';
import type { PodTemplateSpec } from '../../apis/types/core-v1.ts';
import { deepEqualUntyped } from '../../apis/validation/index.ts';
import { sortedCopy } from '../../machinery/schema/index.ts';

/** A controller revision that holds the template of pods, as a patch. Others may have written anything. */
export interface TemplateRevision extends ControllerRevision {
  readonly data?: { readonly spec?: { readonly template?: PodTemplateSpec } };
}

/** What is to be done so that the history ends with the template of now. */
export type RevisionStep =
  | { readonly kind: 'keep'; readonly revision: TemplateRevision }
  /** It was there before, and is the newest again. */
  | { readonly kind: 'renumber'; readonly revision: TemplateRevision }
  | { readonly kind: 'create'; readonly revision: number };

/**
 * The data of a revision: a patch that puts the template in the place of another. Clients compare it with their own byte by
 * byte, so that its keys are in order.
 */
export const templateData = (template: PodTemplateSpec): NonNullable<TemplateRevision['data']> =>
  sortedCopy(patchTo(template));

function patchTo(template: PodTemplateSpec): NonNullable<TemplateRevision['data']> {
  const replaced: PodTemplateSpec & { readonly $patch: string } = { ...template, $patch: 'replace' };
  return { spec: { template: replaced } };
}

/** The template that a revision holds. @throws Error when it holds none. */
export function templateOf({ metadata, data }: TemplateRevision): PodTemplateSpec {
  const template = data?.spec?.template;
  if (template === undefined) throw new Error(`controller revision ${metadata.name} has no template`);
  const { $patch: _, ...plain }: PodTemplateSpec & { readonly $patch?: string } = template;
  return plain;
}

/** Oldest first. Source: release 1.20, `SortControllerRevisions`. */
export function sortRevisions(revisions: readonly TemplateRevision[]): TemplateRevision[] {
  const createdAt = ({ metadata }: TemplateRevision): number => Date.parse(metadata.creationTimestamp ?? '');
  return [...revisions].sort(
    (a, b) =>
      a.revision - b.revision ||
      createdAt(a) - createdAt(b) ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
}

/** Whether a revision holds the template, word by word: an amount in another unit is another template, as in release 1.20. */
export const holdsTemplate = ({ data }: TemplateRevision, template: PodTemplateSpec): boolean =>
  deepEqualUntyped(data, patchTo(template));

/** How the template becomes the newest of the history, which is sorted. */
export function decideRevision(
  history: readonly TemplateRevision[],
  template: PodTemplateSpec,
): RevisionStep {
  const newest = history.at(-1);
  const next = (newest?.revision ?? 0) + 1;
  const equal = history.findLast((revision) => holdsTemplate(revision, template));
  if (equal === undefined) return { kind: 'create', revision: next };
  if (equal === newest) return { kind: 'keep', revision: equal };
  return { kind: 'renumber', revision: { ...equal, revision: next } };
}

/** Revisions beyond the limit, oldest first; those whose names are in use do not count. */
export function surplusRevisions(
  history: readonly TemplateRevision[],
  inUse: ReadonlySet<string>,
  limit: number,
): TemplateRevision[] {
  const unused = history.filter(({ metadata }) => !inUse.has(metadata.name ?? ''));
  return unused.slice(0, Math.max(0, unused.length - limit));
}
