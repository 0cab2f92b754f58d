import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import { constants, createInflateRaw, type InflateRaw } from 'node:zlib';

/** A stream that a client opened. */
export interface PeerStream {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All that came so far. */
  received(): string;
  /** Resolves with all that came when the client has ended its direction. */
  readonly ended: Promise<string>;
  /** Resolves when the client has given the stream up. */
  readonly reset: Promise<void>;
  send(bytes: Buffer | string): void;
  end(): void;
  sendReset(): void;
}

/** Frames before any data: the number of the dictionary of SPDY/3 in a head of zlib. */
const compressionHead = '78bbe3c6a7c2';

/**
 * The server's side of SPDY/3.1 as agents of the reference speak it, written apart from the client that it is to test.
 * It accepts every stream unless `refuses` says otherwise.
 */
export class SpdyPeer {
  readonly pings: Buffer[] = [];
  refuses: (headers: Readonly<Record<string, string>>) => boolean = () => false;
  readonly #socket: Duplex;
  readonly #streams = new Map<number, Open>();
  readonly #opened: PeerStream[] = [];
  readonly #events = new EventEmitter();
  readonly #inflate: InflateRaw = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  #isFirst = true;
  #pending = Buffer.alloc(0);
  #work = Promise.resolve();

  constructor(socket: Duplex, head: Buffer = Buffer.alloc(0)) {
    this.#socket = socket;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#take(head);
  }

  /** Waits for the stream whose headers have these values. */
  async stream(wanted: Readonly<Record<string, string>>): Promise<PeerStream> {
    for (;;) {
      const found = this.#opened.find(({ headers }) =>
        Object.entries(wanted).every(([name, value]) => headers[name.toLowerCase()] === value),
      );
      if (found !== undefined) return found;
      await once(this.#events, 'stream');
    }
  }

  ping(id: number): void {
    const body = Buffer.alloc(4);
    body.writeUInt32BE(id);
    this.#socket.write(control(6, body));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 8) {
      const sizeBytes = 8 + this.#pending.readUIntBE(5, 3);
      if (this.#pending.length < sizeBytes) return;
      const frame = this.#pending.subarray(0, sizeBytes);
      this.#pending = this.#pending.subarray(sizeBytes);
      // In turn: headers are inflated in the background.
      this.#work = this.#work.then(() => this.#read(frame));
    }
  }

  async #read(frame: Buffer): Promise<void> {
    const body = frame.subarray(8);
    if (((frame[0] ?? 0) & 0x80) === 0) {
      const open = this.#streams.get(frame.readUInt32BE(0));
      open?.parts.push(body);
      if (((frame[4] ?? 0) & 1) !== 0) open?.end();
      return;
    }
    if (frame.readUInt16BE(0) !== 0x8003) throw new Error('another version of the protocol');
    const type = frame.readUInt16BE(2);
    if (type === 6) this.pings.push(body);
    else if (type === 3) this.#streams.get(body.readUInt32BE(0))?.reset();
    else if (type === 1) await this.#open(body);
    else throw new Error(`a frame of type ${type}`);
  }

  async #open(body: Buffer): Promise<void> {
    const id = body.readUInt32BE(0);
    const headers = readHeaders(await this.#inflateBlock(body.subarray(10)));
    const idBytes = body.subarray(0, 4);
    if (this.refuses(headers)) {
      this.#socket.write(control(3, Buffer.concat([idBytes, Buffer.from([0, 0, 0, 3])])));
      return;
    }
    const open = new Open();
    this.#streams.set(id, open);
    this.#socket.write(control(2, Buffer.concat([idBytes, Buffer.from('not read', 'utf8')])));
    const send = (bytes: Buffer, flag = 0): void => void this.#socket.write(data(id, bytes, flag));
    this.#opened.push({
      id,
      headers,
      received: () => open.text(),
      ended: open.ended,
      reset: open.wasReset,
      send: (bytes) => send(Buffer.from(bytes as string)),
      end: () => send(Buffer.alloc(0), 1),
      sendReset: () =>
        void this.#socket.write(control(3, Buffer.concat([idBytes, Buffer.from([0, 0, 0, 5])]))),
    });
    this.#events.emit('stream');
  }

  #inflateBlock(block: Buffer): Promise<Buffer> {
    const content = this.#isFirst ? block.subarray(6) : block;
    if (this.#isFirst && block.toString('hex', 0, 6) !== compressionHead) throw new Error('no head of zlib');
    this.#isFirst = false;
    return new Promise((resolve, reject) => {
      this.#inflate.once('error', reject);
      this.#inflate.write(content);
      this.#inflate.flush(() => {
        this.#inflate.off('error', reject);
        resolve(this.#inflate.read() ?? Buffer.alloc(0));
      });
    });
  }
}

class Open {
  readonly parts: Buffer[] = [];
  readonly #end = Promise.withResolvers<string>();
  readonly #reset = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;
  readonly wasReset = this.#reset.promise;

  text(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }

  end(): void {
    this.#end.resolve(this.text());
  }

  reset(): void {
    this.#reset.resolve();
  }
}

function data(id: number, bytes: Buffer, flag: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(flag, 4);
  head.writeUIntBE(bytes.length, 5, 3);
  return Buffer.concat([head, bytes]);
}

function control(type: number, body: Buffer): Buffer {
  const head = Buffer.from([0x80, 3, 0, type, 0, 0, 0, body.length]);
  return Buffer.concat([head, body]);
}

function readHeaders(block: Buffer): Record<string, string> {
  const texts: string[] = [];
  for (let at = 4; at < block.length; ) {
    const end = at + 4 + block.readUInt32BE(at);
    texts.push(block.toString('utf8', at + 4, end));
    at = end;
  }
  if (texts.length !== 2 * block.readUInt32BE(0)) throw new Error('another number of headers');
  return Object.fromEntries(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : [])));
}
