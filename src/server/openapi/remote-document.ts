import { createHash } from 'node:crypto';
import { type RemoteFragment, readRemoteFragment } from '../../apis/openapi/index.ts';
import { type Slice, takeSteps } from '../../base/index.ts';
import type { EncodedDocument } from './document-store.ts';
import { joinGzip, makeGzipBlock } from './gzip-block.ts';

/**
 * What an OpenAPI 2 document of another server says of a version of a group. The work rests whenever its slice is spent.
 *
 * @throws JsonCursorError, SyntaxError for what is no JSON, or more of it than any server has.
 */
export async function readRemoteDocument(
  bytes: Buffer,
  place: { readonly group: string; readonly version: string },
  slice: Slice,
): Promise<RemoteFragment> {
  const steps = readRemoteFragment(bytes, place);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice.isSpent()) await slice.rest();
  }
}

/** A document as it is kept. */
export async function encodeDocument(bytes: Buffer, builtAtMs: number): Promise<EncodedDocument> {
  const digest = createHash('sha512').update(bytes).digest('hex').toUpperCase();
  return { etag: `"${digest}"`, zipped: takeSteps(joinGzip([await makeGzipBlock(bytes)])), builtAtMs };
}
