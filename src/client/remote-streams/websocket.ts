import type { ClientOptions, RawData, WebSocket } from 'ws';
import { authHeaders, formatQuery, TransportError, tlsSettings, toTransportError } from '../rest/index.ts';
import { ForeignProtocolError } from './errors.ts';
import type { StreamTarget } from './session.ts';
import { readRefusal } from './upgrade-refusal.ts';
import { traceUpgrade } from './upgrade-trace.ts';

/** Longest message that is taken; release 1.20's servers send 32 KiB at most. */
const maxMessageBytes = 16 * 1024 * 1024;

/** A message of the channels protocol: its first byte says which channel it is for. */
export interface ChannelMessage {
  readonly channel: number;
  readonly bytes: Buffer;
}

/** An open WebSocket on which messages were not lost while nobody listened. */
export interface ChannelSocket {
  /** Resolves when the message has left, or cannot any more. */
  send(channel: number, bytes: Buffer): Promise<void>;
  /** To be called at once. `isClean` tells whether the other side said goodbye. */
  listen(listeners: {
    readonly onMessage: (message: ChannelMessage) => void;
    readonly onClose: (isClean: boolean) => void;
  }): void;
  /** Lets the other side wait with sending. */
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * Opens a WebSocket with the protocol of numbered channels, version 4.
 *
 * @throws StatusError or UpgradeError when the server refuses, ForeignProtocolError when it speaks another protocol,
 *   TransportError when it is not reached.
 */
export async function openChannelSocket(target: StreamTarget): Promise<ChannelSocket> {
  const { WebSocket } = await import('ws');
  const { connection, signal } = target;
  const query = formatQuery(target.query);
  const url = `${connection.server.replace(/^http/, 'ws').replace(/\/+$/, '')}${target.path}${query && `?${query}`}`;
  if (signal?.aborted) throw aborted(url);
  const protocol = target.dialect.spell('v4.channel.orch.io');
  const socket = new WebSocket(url, protocol, socketOptions(target));
  const onAnswer = traceUpgrade(target.trace, {
    method: 'GET',
    url: url.replace(/^ws/, 'http'),
    headers: requestHeaders(target),
  });
  let chosen: string | undefined;
  socket.once('upgrade', (answer) => {
    onAnswer(answer);
    chosen = answer.headers['sec-websocket-protocol'] ?? '';
  });
  socket.once('unexpected-response', (_, answer) => onAnswer(answer));
  const early = new EarlyEvents(socket);
  const abort = (): void => socket.terminate();
  signal?.addEventListener('abort', abort, { once: true });
  socket.once('close', () => signal?.removeEventListener('abort', abort));
  try {
    await untilOpen(socket, url);
  } catch (error) {
    if (signal?.aborted) throw aborted(url);
    if (chosen === undefined || chosen === protocol) throw error;
    throw new ForeignProtocolError({ offered: protocol, chosen }, new URL(url).host);
  }
  return channelSocket(socket, early);
}

/** What comes before anybody listens: it may be there together with the head of the answer. */
class EarlyEvents {
  readonly #socket: WebSocket;
  readonly #messages: RawData[] = [];
  #closeCode: number | undefined;
  readonly #keep = (data: RawData): void => void this.#messages.push(data);

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', this.#keep);
    socket.once('close', (code) => {
      this.#closeCode = code;
    });
  }

  /** Hands over what came, and from now on what comes. */
  passTo(onMessage: (data: RawData) => void, onClose: (code: number) => void): void {
    this.#socket.off('message', this.#keep);
    for (const data of this.#messages) onMessage(data);
    this.#socket.on('message', onMessage);
    if (this.#closeCode === undefined) this.#socket.once('close', onClose);
    else onClose(this.#closeCode);
  }
}

function socketOptions(target: StreamTarget): ClientOptions {
  return {
    ...tlsSettings(target.connection),
    headers: requestHeaders(target),
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
  };
}

function requestHeaders({ connection, userAgent }: StreamTarget): Record<string, string> {
  // The library hands lists of values on to `node:http`, whatever its types say.
  return { ...authHeaders(connection.auth), 'user-agent': userAgent } as Record<string, string>;
}

function untilOpen(socket: WebSocket, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', (error) => reject(toTransportError(error, new URL(url).host)));
    socket.once('close', () => reject(aborted(url)));
    socket.once('unexpected-response', (request, answer) => {
      void readRefusal(answer).then((refusal) => {
        reject(refusal);
        request.destroy();
      });
    });
  });
}

function channelSocket(socket: WebSocket, early: EarlyEvents): ChannelSocket {
  return {
    send: (channel, bytes) =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve();
        socket.send(Buffer.concat([Buffer.of(channel), bytes]), { binary: true }, () => resolve());
      }),
    listen({ onMessage, onClose }) {
      const read = (data: RawData): void => {
        const message = toBuffer(data);
        const [channel] = message;
        if (channel !== undefined) onMessage({ channel, bytes: message.subarray(1) });
      };
      early.passTo(read, (code) => onClose(code !== abnormalClosure));
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close() {
      if (socket.readyState === socket.CLOSED) return;
      // A peer that does not answer the goodbye is left all the same.
      socket.close(normalClosure);
      const timer = setTimeout(() => socket.terminate(), goodbyeMs);
      socket.once('close', () => clearTimeout(timer));
    },
  };
}

const goodbyeMs = 1000;
const normalClosure = 1000;
/** No goodbye was said (RFC 6455, 7.1.5). */
const abnormalClosure = 1006;

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

function aborted(url: string): TransportError {
  return new TransportError('aborted', 'the connection was given up', { host: new URL(url).host });
}
