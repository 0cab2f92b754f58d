import type { Dialect } from '../../../machinery/dialect.ts';

/** Headers by which client and streaming server negotiate the stream protocol. */
const protocolHeaders: ReadonlySet<string> = new Set(['sec-websocket-protocol', 'x-stream-protocol-version']);

/** Hop-by-hop headers and credentials, which the runtime must not get. */
const droppedHeaders: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'cookie',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'proxy-connection',
]);

/** How names of protocols are spelled on both sides. */
export interface ProtocolDialects {
  readonly client: Dialect;
  readonly runtime: Dialect;
}

/** Headers of a client's request as the runtime's streaming server takes them. */
export function toRuntimeHeaders(
  rawHeaders: readonly string[],
  { client, runtime }: ProtocolDialects,
): string[] {
  return mapHeaders(rawHeaders, (names) => runtime.spell(client.unspell(names))).filter(
    (_, index, all) => !droppedHeaders.has((all[index - (index % 2)] ?? '').toLowerCase()),
  );
}

/** Headers of the streaming server's answer as the client takes them. */
export function fromRuntimeHeaders(
  rawHeaders: readonly string[],
  { client, runtime }: ProtocolDialects,
): string[] {
  const headers = mapHeaders(rawHeaders, (names) => client.spell(runtime.unspell(names)));
  // Strict clients reject an empty protocol header when they have offered none.
  return headers.filter((_, index) => {
    const [name = '', value] = headers.slice(index - (index % 2));
    return value !== '' || !protocolHeaders.has(name.toLowerCase());
  });
}

function mapHeaders(rawHeaders: readonly string[], translate: (name: string) => string): string[] {
  return rawHeaders.map((text, index) => {
    const name = rawHeaders[index - 1]?.toLowerCase() ?? '';
    if (index % 2 === 0 || !protocolHeaders.has(name)) return text;
    return text
      .split(',')
      .map((protocol) => translate(protocol.trim()))
      .join(', ');
  });
}
