/** An event of a watch as it came; nothing of it is checked yet. */
export interface EncodedEvent {
  readonly type: unknown;
  readonly object: unknown;
}

/** How the events of a watch are told apart and read. */
export interface EventReader {
  /** Cuts a stream into events. @throws TransportError (`protocol`) where that is impossible. */
  split(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** @throws Error when the bytes are none. */
  decode(bytes: Buffer): EncodedEvent;
}

/** How objects travel instead of as JSON. What it cannot write goes as JSON, and JSON answers are always read. */
export interface ObjectEncoding {
  /** Media type of the bodies that it writes; answers of this type are read by it. */
  readonly contentType: string;
  /** What to ask servers for: its own media type, then JSON for kinds that have no other form. */
  readonly accept: string;
  /** The body of a value; undefined for one that has no such form. */
  encode(value: unknown): Buffer | undefined;
  /** The value of a body, in the shape that its JSON has. @throws Error when the bytes are none. */
  decode(body: Buffer): unknown;
  readonly events: EventReader;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** True for an answer whose body the encoding reads. */
export function isEncoded(
  encoding: ObjectEncoding | undefined,
  headers: Headers,
): encoding is ObjectEncoding {
  if (encoding === undefined) return false;
  const type = String(headers['content-type'] ?? '');
  return type.split(';', 1)[0]?.trim() === encoding.contentType;
}
