import type { IncomingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import type { AgentProcess } from './agent-process.ts';
import { credentials } from './ask.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import { differences } from './matching.ts';

interface Conversation {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly close: number;
  readonly channels: Readonly<Record<string, string>>;
}

const patienceMs = 15_000;

/** Opens a websocket, sends what is to be sent, and gives what is not as recorded once it is closed. */
export async function converse(
  request: ExchangeRequest,
  response: ExchangeResponse,
  agent: AgentProcess,
): Promise<readonly string[]> {
  const shown = await hold(request, agent);
  return [
    ...differences(response.status, shown.status, [], '/status'),
    ...['upgrade', 'sec-websocket-protocol'].flatMap((name) =>
      differences(response.headers[name] ?? '', shown.headers[name] ?? '', [], `/headers/${name}`),
    ),
    ...differences(response.close, shown.close, [], '/close'),
    ...differences(comparable(response.channels ?? {}), comparable(shown.channels), [], '/channels'),
  ];
}

function hold({ path, ws, auth, send = [] }: ExchangeRequest, agent: AgentProcess): Promise<Conversation> {
  const url = `wss://127.0.0.1:${agent.ports.secure}${path}`;
  const socket = new WebSocket(url, ws ? [ws] : [], {
    rejectUnauthorized: false,
    headers: credentials(auth),
  });
  const channels = new Map<string, Buffer[]>();
  let headers: IncomingHttpHeaders = {};
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.terminate(), patienceMs);
    socket.on('upgrade', (answer) => {
      headers = answer.headers;
    });
    socket.on('unexpected-response', (_request, { statusCode = 0 }) =>
      resolve({ status: statusCode, headers: {}, close: 0, channels: {} }),
    );
    socket.on('open', () => {
      for (const [channel, text] of send)
        socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
    });
    socket.on('message', (data) => {
      const bytes = Buffer.from(data as Buffer); // that is what sockets give unless told otherwise
      const channel = String(bytes[0]);
      channels.set(channel, [...(channels.get(channel) ?? []), bytes.subarray(1)]);
    });
    socket.on('error', reject);
    socket.on('close', (close) => {
      clearTimeout(timer);
      const texts = [...channels].map(([channel, parts]) => [channel, Buffer.concat(parts).toString()]);
      resolve({ status: 101, headers, close, channels: Object.fromEntries(texts) });
    });
  });
}

/** Empty messages only open channels; a file's time differs each time, and what is made of it. */
function comparable(channels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const filled = Object.entries(channels).filter(([, text]) => text !== '');
  return Object.fromEntries(
    filled.map(([channel, text]) => [
      channel,
      text.replace(/^(Date|Last-Modified|ETag): .*/gm, '$1: <varies>'),
    ]),
  );
}
