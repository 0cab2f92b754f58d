import { createHash } from 'node:crypto';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';

/**
 * The `storageVersionHash` of discovery documents: clients see from it that the stored version changed.
 * Base64 of the first 8 bytes of SHA-256 of `group/version/kind` (the slash stays for the core group).
 */
export function computeStorageVersionHash({ group, version, kind }: GroupVersionKind): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
