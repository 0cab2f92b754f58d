import { Duplex } from 'node:stream';
import {
  controlFrame,
  dataFrame,
  dataFrames,
  type Frame,
  FrameReader,
  frameTypes,
  goAwayFrame,
  resetStatus,
  rstStreamFrame,
  synReplyFrame,
} from './frames.ts';
import { HeaderReader } from './header-reader.ts';
import { HeaderWriter } from './header-writer.ts';
import { limits } from './limits.ts';

/** How long what was sent last may take to leave. */
const lingerMs = 10_000;

/** One stream of a connection: what the client sends is read, and what is written goes to it. */
export class AcceptedStream extends Duplex {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly #connection: ServerConnection;

  constructor(connection: ServerConnection, id: number, headers: ReadonlyMap<string, string>) {
    super({ allowHalfOpen: true });
    this.#connection = connection;
    this.id = id;
    this.headers = headers;
    this.on('error', () => {}); // The end of the connection says enough.
  }

  /** Hands on what the client sent; undefined at its end. */
  receive(bytes: Buffer | undefined): void {
    if (this.destroyed || this.readableEnded) return;
    if (bytes === undefined) this.push(null);
    else if (!this.push(Buffer.from(bytes))) this.#connection.hold(this);
  }

  override _read(): void {
    this.#connection.release(this);
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const frames = dataFrames(this.id, chunk);
    const last = frames.pop();
    for (const frame of frames) this.#connection.send(frame, () => {}); // the last one tells how they fared
    if (last === undefined) done();
    else this.#connection.send(last, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#connection.send(dataFrame(this.id, Buffer.alloc(0), { isLast: true }), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#connection.forget(this, error !== null);
    done(error);
  }
}

/**
 * The server's side of a SPDY/3.1 connection, of which clients open the streams. The protocol's windows are not used, as
 * clients do not: a stream that is not read holds the whole connection.
 */
export class ServerConnection {
  readonly #socket: Duplex;
  readonly #onStream: (stream: AcceptedStream) => void;
  readonly #frames = new FrameReader();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, AcceptedStream>();
  readonly #held = new Set<AcceptedStream>();
  #lastId = 0;
  /** Frames are taken one after the other. */
  #taking: Promise<void> = Promise.resolve();

  constructor(socket: Duplex, first: Buffer, onStream: (stream: AcceptedStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#finish());
    socket.once('end', () => this.#finish());
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    if (first.length > 0) this.#take(first);
  }

  /** Says goodbye and closes once all is sent. */
  close(): void {
    if (this.#socket.destroyed) return;
    this.#socket.end(goAwayFrame(this.#lastId));
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs);
    timer.unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  send(frame: Buffer, done: (error?: Error | null) => void): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) done(new Error('the connection is closed'));
    else this.#socket.write(frame, done);
  }

  hold(stream: AcceptedStream): void {
    this.#held.add(stream);
    this.#socket.pause();
  }

  release(stream: AcceptedStream): void {
    if (this.#held.delete(stream) && this.#held.size === 0) this.#socket.resume();
  }

  forget(stream: AcceptedStream, wasBroken: boolean): void {
    this.release(stream);
    if (this.#streams.delete(stream.id) && wasBroken)
      this.#send(rstStreamFrame(stream.id, resetStatus.cancel));
  }

  #take(chunk: Buffer): void {
    let frames: readonly Frame[];
    try {
      frames = this.#frames.push(chunk);
    } catch {
      this.#socket.destroy();
      return;
    }
    for (const frame of frames) {
      this.#taking = this.#taking.then(() => this.#handle(frame)).catch(() => void this.#socket.destroy());
    }
  }

  async #handle(frame: Frame): Promise<void> {
    const { bytes } = frame;
    if (frame.kind === 'data') {
      const stream = this.#streams.get(frame.streamId);
      if (bytes.length > 0) stream?.receive(bytes);
      if (frame.isLast) stream?.receive(undefined);
    } else if (frame.type === frameTypes.synStream) await this.#open(bytes, frame.isLast);
    else if (frame.type === frameTypes.rstStream) this.#streams.get(bytes.readUInt32BE(0))?.destroy();
    // Pings of clients have odd numbers; others are answers (section 2.6.5).
    else if (frame.type === frameTypes.ping && (bytes[3] ?? 0) % 2 === 1)
      this.#send(controlFrame(frameTypes.ping, bytes));
  }

  async #open(payload: Buffer, isLast: boolean): Promise<void> {
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = await this.#reader.read(payload.subarray(10));
    if (id % 2 === 0 || id <= this.#lastId || this.#streams.size >= limits.maxStreams)
      return this.#send(rstStreamFrame(id, resetStatus.refused));
    this.#lastId = id;
    const stream = new AcceptedStream(this, id, headers);
    this.#streams.set(id, stream);
    this.#send(synReplyFrame(id, this.#writer.write()));
    this.#onStream(stream);
    if (isLast) stream.receive(undefined);
  }

  #send(frame: Buffer): void {
    this.send(frame, () => {});
  }

  /** Nothing more comes. */
  #finish(): void {
    this.#reader.close();
    for (const stream of [...this.#streams.values()]) {
      if (this.#socket.destroyed) stream.destroy();
      else stream.receive(undefined);
    }
  }
}
