import { Duplex } from 'node:stream';
import {
  controlFrame,
  dataFrame,
  type Frame,
  FrameCutter,
  finFlag,
  frameTypes,
  HeaderReader,
  HeaderWriter,
} from './spdy-frames.ts';

/** Streams of one connection that are open at the same time. */
const maxStreams = 1000;
const cancelStatus = 5;
const refusedStatus = 3;
/** How long what was sent last may take to leave. */
const lingerMs = 10_000;

/** One stream of a connection: what the client sends is read, and what is written goes to it. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly #connection: SpdyConnection;

  constructor(connection: SpdyConnection, id: number, headers: ReadonlyMap<string, string>) {
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
    this.#connection.send(dataFrame(this.id, chunk), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#connection.send(dataFrame(this.id, Buffer.alloc(0), finFlag), done);
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
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #cutter = new FrameCutter();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #held = new Set<SpdyStream>();
  #lastId = 0;
  /** Frames are taken one after the other. */
  #taking: Promise<void> = Promise.resolve();

  constructor(socket: Duplex, first: Buffer, onStream: (stream: SpdyStream) => void) {
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
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(this.#lastId);
    this.#socket.end(controlFrame(frameTypes.goAway, payload));
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs);
    timer.unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  send(frame: Buffer, done: (error?: Error | null) => void): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) done(new Error('the connection is closed'));
    else this.#socket.write(frame, done);
  }

  hold(stream: SpdyStream): void {
    this.#held.add(stream);
    this.#socket.pause();
  }

  release(stream: SpdyStream): void {
    if (this.#held.delete(stream) && this.#held.size === 0) this.#socket.resume();
  }

  forget(stream: SpdyStream, wasBroken: boolean): void {
    this.release(stream);
    if (this.#streams.delete(stream.id) && wasBroken) this.#reset(stream.id, cancelStatus);
  }

  #take(chunk: Buffer): void {
    let frames: Frame[];
    try {
      frames = this.#cutter.cut(chunk);
    } catch {
      this.#socket.destroy();
      return;
    }
    for (const frame of frames) {
      this.#taking = this.#taking.then(() => this.#handle(frame)).catch(() => void this.#socket.destroy());
    }
  }

  async #handle({ type, flags, streamId, payload }: Frame): Promise<void> {
    const isLast = (flags & finFlag) !== 0;
    if (type === undefined) {
      const stream = this.#streams.get(streamId);
      if (payload.length > 0) stream?.receive(payload);
      if (isLast) stream?.receive(undefined);
    } else if (type === frameTypes.synStream) await this.#open(payload, isLast);
    else if (type === frameTypes.rstStream) this.#streams.get(payload.readUInt32BE(0))?.destroy();
    else if (type === frameTypes.ping && (payload[3] ?? 0) % 2 === 1) this.#write(frameTypes.ping, payload);
  }

  async #open(payload: Buffer, isLast: boolean): Promise<void> {
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = await this.#reader.read(payload.subarray(10));
    if (id % 2 === 0 || id <= this.#lastId || this.#streams.size >= maxStreams)
      return this.#reset(id, refusedStatus);
    this.#lastId = id;
    const stream = new SpdyStream(this, id, headers);
    this.#streams.set(id, stream);
    const idBytes = Buffer.alloc(4);
    idBytes.writeUInt32BE(id);
    this.#write(frameTypes.synReply, Buffer.concat([idBytes, this.#writer.empty()]));
    this.#onStream(stream);
    if (isLast) stream.receive(undefined);
  }

  #reset(id: number, status: number): void {
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(id, 0);
    payload.writeUInt32BE(status, 4);
    this.#write(frameTypes.rstStream, payload);
  }

  #write(type: number, payload: Buffer): void {
    this.send(controlFrame(type, payload), () => {});
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
