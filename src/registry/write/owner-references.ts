import type { ApiObject, OwnerReference } from '../../machinery/meta/index.ts';
import type { WriteOptions } from '../resource-store.ts';

/** Whether the object is as the request has it, or as admission made it; release 1.20 looks at both. */
export type WriteStage = 'received' | 'admitted';

const where: Readonly<Record<WriteStage, string>> = {
  received: 'duplicate entries',
  admitted: 'duplicate entries after mutating admission happens',
};

/**
 * Keeps one of owner references that are the same in all fields, and warns the client. References that only share
 * their uid stay: the record of owners cannot be made of them.
 */
export function dropDuplicateOwners(
  { metadata }: Pick<ApiObject, 'metadata'>,
  stage: WriteStage,
  { warn }: Pick<WriteOptions, 'warn'>,
): void {
  const references = metadata.ownerReferences;
  if (references === undefined || references === null || references.length < 2) return;
  const seen = new Set<string>();
  const duplicates: string[] = [];
  const kept = references.filter((reference) => {
    const identity = identityOf(reference);
    const isDuplicate = seen.has(identity);
    if (isDuplicate) duplicates.push(reference.uid);
    seen.add(identity);
    return !isDuplicate;
  });
  if (duplicates.length === 0) return;
  metadata.ownerReferences = kept;
  warn?.(
    `.metadata.ownerReferences contains ${where[stage]}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
}

const identityOf = ({
  apiVersion,
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion,
}: OwnerReference): string => JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
