import { isBlank } from '../../base/index.ts';
import type { ListMeta } from '../meta/index.ts';

const eventEnd = Buffer.from('}\n');

/** One line of a watch: the event's type and its object's JSON bytes, which may end in white space where others stored them. */
export function encodeWatchEvent(
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR',
  objectBytes: Buffer,
): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), trimEnd(objectBytes), eventEnd]);
}

function trimEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end--;
  return end === bytes.length ? bytes : bytes.subarray(0, end);
}

export interface ListHeader {
  /** Kind of the list, for example `PodList`. */
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
}

/** Start of a list's JSON up to the bracket that opens its items; `listEnd` closes it. */
export function encodeListHeader({ kind, apiVersion, metadata }: ListHeader): Buffer {
  return Buffer.from(
    `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},` +
      `"metadata":${JSON.stringify(metadata)},"items":[`,
  );
}

/** What follows the last item of a list. */
export const listEnd = Buffer.from(']}\n');

/** What stands around the items of a list whose members are sorted by name, as those of unstructured objects are. */
export function encodeSortedList({ kind, apiVersion, metadata }: ListHeader): {
  readonly header: Buffer;
  readonly end: Buffer;
} {
  const { continue: token = '', remainingItemCount, resourceVersion, selfLink } = metadata;
  const sorted = { continue: token, remainingItemCount, resourceVersion, selfLink };
  return {
    header: Buffer.from(`{"apiVersion":${JSON.stringify(apiVersion)},"items":[`),
    end: Buffer.from(`],"kind":${JSON.stringify(kind)},"metadata":${JSON.stringify(sorted)}}\n`),
  };
}

const comma = Buffer.from(',');

/** A whole list out of its header and its items' JSON bytes. */
export function joinList(header: Buffer, items: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [header];
  for (const item of items) {
    if (parts.length > 1) parts.push(comma);
    parts.push(item);
  }
  parts.push(listEnd);
  return Buffer.concat(parts);
}

/**
 * Canonical JSON of the same object in another version that differs in name only.
 *
 * @throws RangeError when the bytes do not start with this kind and version.
 */
export function reversion(bytes: Buffer, kind: string, fromApiVersion: string, toApiVersion: string): Buffer {
  if (fromApiVersion === toApiVersion) return bytes;
  const head = prefixOf(kind, fromApiVersion);
  if (bytes.compare(head, 0, head.length, 0, Math.min(head.length, bytes.length)) !== 0) {
    throw new RangeError(`value does not start as ${kind} in version ${fromApiVersion}`);
  }
  return Buffer.concat([prefixOf(kind, toApiVersion), bytes.subarray(head.length)]);
}

function prefixOf(kind: string, apiVersion: string): Buffer {
  return Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
}
