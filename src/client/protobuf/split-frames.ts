import { TransportError } from '../rest/index.ts';

/** A frame above this is no event of this API. */
const maxFrameBytes = 64 * 1024 * 1024;
const lengthBytes = 4;

/**
 * Cuts a stream into frames, each behind its length in four bytes, most significant first. Bytes are copied at most
 * once, in however many pieces a frame comes.
 *
 * @throws TransportError (`protocol`) for a frame that is too long, or that ends early.
 */
export async function* splitFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  // What must be there before anything can be cut: a length, or a length and its frame.
  let wantedBytes = lengthBytes;
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < wantedBytes) continue;
    let rest = pending.length === 1 ? chunk : Buffer.concat(pending, pendingBytes);
    for (wantedBytes = wantedFrom(rest); rest.length >= wantedBytes; wantedBytes = wantedFrom(rest)) {
      // With a length and its frame there, this is a whole frame; a bare length asks for more than it has.
      yield rest.subarray(lengthBytes, wantedBytes);
      rest = rest.subarray(wantedBytes);
    }
    pending = rest.length === 0 ? [] : [rest];
    pendingBytes = rest.length;
  }
  if (pendingBytes > 0) throw broken('it ends inside an event');
}

/** Bytes of the first frame with its length; of a length only, while that is not whole. */
function wantedFrom(bytes: Buffer): number {
  if (bytes.length < lengthBytes) return lengthBytes;
  const frameBytes = bytes.readUInt32BE(0);
  if (frameBytes > maxFrameBytes) throw broken(`an event of ${frameBytes} bytes is too long`);
  return lengthBytes + frameBytes;
}

const broken = (detail: string): TransportError =>
  new TransportError('protocol', `unable to decode an event from the watch stream: ${detail}`, { host: '' });
