/**
 * The part of D-Bus that a client of a system service needs: messages, and a connection over the bus's Unix socket. It
 * knows no service, and passes no file descriptors. After the D-Bus specification 0.38.
 */

import { connect, type Socket } from 'node:net';
import { asError, type Clock } from '../../../base/index.ts';
import { type DbusMessage, decodeMessage, encodeMessage } from './message.ts';
import type { DbusValue } from './values.ts';

/** A call of a method. */
export interface DbusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string | undefined;
  readonly body?: readonly DbusValue[] | undefined;
}

/** The socket of the message bus, and who is notified of messages. */
export interface BusConnectionOptions {
  /** Of the bus's socket. */
  readonly path: string;
  readonly clock: Clock;
  /** Ends the connection, also while it is being made. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each signal that comes, and of each call, which it may answer. */
  readonly onMessage?: ((message: DbusMessage) => void) | undefined;
}

/** A call was answered with an error. */
class DbusError extends Error {
  override readonly name = 'DbusError';
  /** Such as `org.freedesktop.DBus.Error.ServiceUnknown`. */
  readonly errorName: string;

  constructor(errorName: string, message: string) {
    super(message === '' ? errorName : message);
    this.errorName = errorName;
  }
}

/** The bus's own name, and what it answers as. */
const bus = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;
const callTimeoutMs = 25_000;

/**
 * Connects to a bus over its Unix socket as the user that this process runs as.
 *
 * @throws Error when there is no bus, or it lets this process not in
 */
export async function connectBus(options: BusConnectionOptions): Promise<BusConnection> {
  const socket = connect({ path: options.path });
  const abort = (): void => void socket.destroy();
  options.signal?.addEventListener('abort', abort, { once: true });
  socket.once('close', () => options.signal?.removeEventListener('abort', abort));
  try {
    const rest = await authenticate(socket, options.clock);
    const connection = new BusConnection(socket, options);
    connection.take(rest);
    await connection.callBus('Hello');
    return connection;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Says who this is (SASL EXTERNAL, by the credentials of the socket); gives bytes that came behind the answer. */
async function authenticate(socket: Socket, clock: Clock): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let text = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    text = Buffer.concat([text, chunk]);
    const end = text.indexOf('\r\n');
    const line = text.toString('latin1', 0, Math.max(0, end));
    if (end < 0 && text.length < 1024) return;
    if (line.startsWith('OK ')) resolve(text.subarray(end + 2));
    else reject(new Error(`the bus refuses this process: ${line}`));
  };
  const onClose = (): void => reject(new Error('the bus closed the connection'));
  socket.on('data', onData).on('error', reject).on('close', onClose);
  const cancel = clock.setTimer(callTimeoutMs, () => reject(new Error('the bus does not answer')));
  const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  try {
    return await promise;
  } finally {
    cancel();
    socket.off('data', onData).off('close', onClose);
    socket.write('BEGIN\r\n');
  }
}

interface Waiting {
  readonly resolve: (body: readonly DbusValue[]) => void;
  readonly reject: (error: Error) => void;
  readonly cancel: () => void;
}

/** A connection to a bus. File descriptors are not passed. */
export class BusConnection {
  /** Resolves when the connection is over, with what ended it. */
  readonly whenClosed: Promise<Error>;
  readonly #socket: Socket;
  readonly #options: BusConnectionOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #closed = Promise.withResolvers<Error>();
  #bytes: Buffer = Buffer.alloc(0);
  #lastSerial = 0;

  constructor(socket: Socket, options: BusConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.whenClosed = this.#closed.promise;
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the bus closed the connection')));
  }

  /** @throws DbusError for an error as the answer, Error when no answer comes */
  async call({ signature = '', body = [], ...call }: DbusCall): Promise<readonly DbusValue[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly DbusValue[]>();
    const serial = this.send({ kind: 'call', ...call, signature, body });
    const onLate = (): void => {
      this.#waiting.delete(serial);
      reject(new Error(`${call.destination} does not answer ${call.member}`));
    };
    const cancel = this.#options.clock.setTimer(callTimeoutMs, onLate);
    this.#waiting.set(serial, { resolve, reject, cancel });
    if (this.#socket.destroyed) this.#end(new Error('the connection to the bus is closed'));
    return promise;
  }

  /** Calls a method of the bus itself. @throws as `call` */
  callBus(member: string, signature?: string, body?: readonly DbusValue[]): Promise<readonly DbusValue[]> {
    return this.call({ ...bus, member, signature, body });
  }

  /** Sends a message, without waiting for what may come back; gives its serial. @throws DbusFormatError */
  send(message: Omit<DbusMessage, 'serial'>): number {
    this.#lastSerial += 1;
    const serial = this.#lastSerial;
    if (!this.#socket.destroyed) this.#socket.write(encodeMessage({ ...message, serial }));
    return serial;
  }

  close(): void {
    this.#end(new Error('the connection to the bus is closed'));
  }

  /** Bytes that came from the bus; called by the connection's own socket. */
  take(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    try {
      for (let next = decodeMessage(this.#bytes); next !== undefined; next = decodeMessage(this.#bytes)) {
        this.#bytes = this.#bytes.subarray(next.sizeBytes);
        this.#handle(next.message);
      }
    } catch (error) {
      this.#end(asError(error));
    }
  }

  #handle(message: DbusMessage): void {
    if (message.kind === 'signal' || message.kind === 'call') {
      this.#options.onMessage?.(message);
      return;
    }
    const waiting = this.#waiting.get(message.replyTo ?? 0);
    if (waiting === undefined) return;
    this.#waiting.delete(message.replyTo ?? 0);
    waiting.cancel();
    if (message.kind === 'reply') waiting.resolve(message.body);
    else waiting.reject(new DbusError(message.errorName ?? '', String(message.body[0] ?? '')));
  }

  #end(error: Error): void {
    this.#socket.destroy();
    for (const { reject, cancel } of this.#waiting.values()) {
      cancel();
      reject(error);
    }
    this.#waiting.clear();
    this.#closed.resolve(error);
  }
}
