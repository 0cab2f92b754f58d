import type { ApiObject } from '../machinery/meta/index.ts';

/** Gives an object the metadata that it had before, but for the record of owners: they are not part of its status. */
export function keepMetadata({ metadata }: ApiObject, { metadata: old }: ApiObject): void {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = old;
  Object.assign(metadata, { labels, annotations, finalizers, ownerReferences, deletionTimestamp });
}
