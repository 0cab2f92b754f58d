import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../../../support/eventually.ts';

/** A websocket whose messages begin with the number of their channel. */
export interface ChannelClient {
  /** What the server chose; empty for none. */
  readonly protocol: string;
  /** All that came on a channel so far. */
  text(channel: number): string;
  /** Resolves when a channel has this text in it. */
  until(channel: number, text: string): Promise<void>;
  send(channel: number, text: string): void;
  /** Resolves with the code of the end. */
  closed(): Promise<number>;
  close(): void;
}

/** Opens a stream of the secure port. @throws Error when the server does not change protocols */
export async function openChannels(
  port: number,
  path: string,
  protocols: readonly string[] = ['v4.channel.orch.io'],
): Promise<ChannelClient> {
  const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, [...protocols], {
    rejectUnauthorized: false,
  });
  const received = new Map<number, Buffer[]>();
  const closing = new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  socket.on('message', (message: Buffer) => {
    const channel = message[0] ?? -1;
    received.set(channel, [...(received.get(channel) ?? []), message.subarray(1)]);
  });
  await once(socket, 'open');
  const text = (channel: number): string => Buffer.concat(received.get(channel) ?? []).toString('latin1');
  return {
    protocol: socket.protocol,
    text,
    until: async (channel, wanted) => {
      await eventually(async () => (text(channel).includes(wanted) ? true : undefined));
    },
    send: (channel, content) => socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(content)])),
    closed: () => closing,
    close: () => socket.close(),
  };
}
