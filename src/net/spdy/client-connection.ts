import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenedStream, OpenStream, StreamEnd, StreamReader } from './client-stream.ts';
import {
  controlFrame,
  dataFrame,
  dataFrames,
  type Frame,
  FrameReader,
  frameTypes,
  resetStatus,
  rstStreamFrame,
  synStreamFrame,
} from './frames.ts';
import { HeaderWriter } from './header-writer.ts';
import { limits } from './limits.ts';

/** Sends a request for another protocol; gives the connection, and what came with the head of the answer. */
export type SpdyDial = (headers: Readonly<Record<string, string>>) => Promise<{
  readonly answer: IncomingMessage;
  readonly socket: Duplex;
  readonly first: Buffer;
}>;

/** A connection on which streams are opened. */
export interface ClientConnection {
  /** Resolves when the other side has accepted the stream. @throws Error when it does not, or the connection ended. */
  openStream(headers: Readonly<Record<string, string>>, reader: StreamReader): Promise<OpenedStream>;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  /** Lets the other side wait with sending on all streams. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** How long the other side may take to accept a stream. Source: release 1.20. */
const acceptTimeoutMs = 30_000;

/** Opens a connection. @throws what `dial` throws. */
export async function openSpdyConnection(dial: SpdyDial): Promise<ClientConnection> {
  const { socket, first } = await dial({ connection: 'Upgrade', upgrade: 'SPDY/3.1' });
  return new Connection(socket, first);
}

class Connection implements ClientConnection {
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #frames = new FrameReader();
  readonly #headers = new HeaderWriter();
  readonly #streams = new Map<number, OpenStream>();
  #nextId = 1;
  #isOver = false;

  constructor(socket: Duplex, first: Buffer) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#finish();
        resolve();
      });
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    if (first.length > 0) this.#take(first);
  }

  openStream(headers: Readonly<Record<string, string>>, reader: StreamReader): Promise<OpenedStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(new Error('the connection is closed'));
      if (this.#streams.size >= limits.maxStreams) return reject(new Error('too many streams are open'));
      const timer = setTimeout(() => refuse(new Error('timed out waiting for a stream')), acceptTimeoutMs);
      const refuse = (error: Error): void => {
        clearTimeout(timer);
        this.#streams.delete(id);
        reject(error);
      };
      const accept = (): void => {
        clearTimeout(timer);
        resolve(this.#streamOf(id));
      };
      this.#streams.set(id, { reader, accept, refuse, isAccepted: false });
      this.#socket.write(synStreamFrame(id, this.#headers.write(headers)));
    });
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    // What was written last still leaves.
    this.#socket.end(() => this.#socket.destroy());
  }

  #streamOf(id: number): OpenedStream {
    let hasEnded = false;
    return {
      write: async (bytes) => {
        for (const frame of dataFrames(id, bytes)) if (!hasEnded) await this.#send(frame);
      },
      end: () => {
        if (!hasEnded) void this.#send(dataFrame(id, Buffer.alloc(0), { isLast: true }));
        hasEnded = true;
      },
      cancel: () => {
        const isHeard = this.#streams.delete(id);
        if (isHeard || !hasEnded) void this.#send(rstStreamFrame(id, resetStatus.cancel));
        hasEnded = true;
      },
    };
  }

  #send(frame: Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver || this.#socket.writableEnded) return resolve();
      this.#socket.write(frame, () => resolve());
    });
  }

  #take(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) this.#read(frame);
    } catch {
      this.#socket.destroy(); // no frames of this protocol: nothing more can be understood
    }
  }

  #read(frame: Frame): void {
    if (frame.kind === 'data') {
      const stream = this.#streams.get(frame.streamId);
      if (stream === undefined) return;
      if (frame.bytes.length > 0) stream.reader.onData?.(frame.bytes);
      if (frame.isLast) this.#end(frame.streamId, stream, 'ended');
      return;
    }
    if (frame.type === frameTypes.ping) void this.#send(controlFrame(frameTypes.ping, frame.bytes));
    if (frame.bytes.length < 4) return;
    const id = frame.bytes.readUInt32BE(0) & 0x7fffffff;
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (frame.type === frameTypes.rstStream) this.#end(id, stream, 'reset');
    if (frame.type !== frameTypes.synReply) return;
    stream.isAccepted = true;
    stream.accept();
    if (frame.isLast) this.#end(id, stream, 'ended');
  }

  #end(id: number, stream: OpenStream, how: StreamEnd): void {
    this.#streams.delete(id);
    if (!stream.isAccepted) stream.refuse(new Error('the stream was refused'));
    else stream.reader.onEnd?.(how);
  }

  #finish(): void {
    this.#isOver = true;
    for (const [id, stream] of this.#streams) this.#end(id, stream, 'lost');
    this.#streams.clear();
  }
}
