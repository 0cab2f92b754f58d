import type { ListMeta } from '../../meta/index.ts';
import type { ProtobufMessage } from './compile.ts';
import {
  type EnvelopeTypeMeta,
  envelopeHead,
  envelopeTail,
  fieldHeader,
  rawFieldNumber,
} from './envelope.ts';

export interface ListFrame {
  /** Message type of the list, for example that of `PodList`. */
  readonly list: ProtobufMessage;
  /** Kind and version of the list. */
  readonly typeMeta: EnvelopeTypeMeta;
  readonly metadata: ListMeta;
  /** Bytes of all framed items together. */
  readonly itemsSizeBytes: number;
}

/**
 * What stands before and after the framed items of an enveloped list, for lists that are sent in slices.
 * The total is known before the first item is sent, since lengths come first.
 */
export function encodeListFrame(frame: ListFrame): { head: Buffer; tail: Buffer } {
  const { list, typeMeta, metadata, itemsSizeBytes } = frame;
  const metadataField = list.encode({ metadata, items: [] });
  const rawHeader = fieldHeader(rawFieldNumber, metadataField.length + itemsSizeBytes);
  const start = [envelopeHead(typeMeta), rawHeader];
  // Fields go by number: one old kind of list has its items first.
  if (list.itemsFieldNumber === 1) {
    return { head: Buffer.concat(start), tail: Buffer.concat([metadataField, envelopeTail]) };
  }
  return { head: Buffer.concat([...start, metadataField]), tail: envelopeTail };
}

/**
 * A whole enveloped list out of its items' framed messages (`encodeFramed` with `list.itemsFieldNumber`, which
 * is the default number for all stored kinds); nothing is decoded.
 */
export function encodeList(
  frame: Omit<ListFrame, 'itemsSizeBytes'> & { readonly items: readonly Buffer[] },
): Buffer {
  let itemsSizeBytes = 0;
  for (const item of frame.items) itemsSizeBytes += item.length;
  const { head, tail } = encodeListFrame({ ...frame, itemsSizeBytes });
  return Buffer.concat([head, ...frame.items, tail], head.length + itemsSizeBytes + tail.length);
}
