import { once } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ServedKind } from '../../../../src/registry/index.ts';
import type { StoredEndpoint } from '../../../../src/server/handlers/endpoint.ts';
import { handleWatch } from '../../../../src/server/handlers/watch.ts';
import { createWatchDelivery } from '../../../../src/server/streaming/watch-delivery.ts';
import { encodings } from '../../../support/encodings.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { TestRegistry } from '../../../support/registry.ts';

const { negotiator } = encodings;
const path = '/api/v1/namespaces/default/configmaps';
/** What a client asks a WebSocket by, with the key of RFC 6455, section 1.3. */
const headers = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
/** The frame that ends a WebSocket in order (code 1000). */
const closeFrame = Buffer.from([0x88, 2, 0x03, 0xe8]);

describe('handleWatch', () => {
  let registry: TestRegistry;
  /** Of the version while it is served; another one when it is served again. */
  let serving: AbortController;
  beforeEach(async () => {
    registry = await TestRegistry.open();
    serving = new AbortController();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const retire = (): void => {
    serving.abort();
    serving = new AbortController();
  };
  /** Begins a watch over a WebSocket, which is not open yet. */
  const begin = () => {
    const served: ServedKind = Object.create(registry.served('v1/configmaps'), {
      retirement: { get: () => serving.signal },
    });
    const context = {
      dialect: orchDialect,
      metaGroup: 'meta.orch.io',
      negotiator,
      watchDelivery: createWatchDelivery(),
      minRequestTimeoutMs: 3_600_000,
      random: () => 0,
    };
    const representation = negotiator.choose('application/json');
    // Nothing else of it is looked at.
    const endpoint = { context, served, representation, selectableFields: {} } as unknown as StoredEndpoint;
    const [client, socket] = duplexPair();
    const exchange = makeExchange({ url: `${path}?watch=1`, headers });
    const upgrade = { socket, head: Buffer.alloc(0) };
    const ended = handleWatch({ ...exchange, upgrade }, endpoint);
    return { client, ended };
  };

  /** All that a client got, which then leaves. @throws Error when the WebSocket is not ended */
  const readEnd = async (client: Duplex): Promise<string> => {
    const chunks: Buffer[] = [];
    client.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const text = await eventually(async () => {
      const all = Buffer.concat(chunks);
      return all.subarray(-closeFrame.length).equals(closeFrame) ? all.toString() : undefined;
    });
    client.destroy();
    return text;
  };

  it('ends the watch of a version that is served no more when its WebSocket is open', async () => {
    const { client, ended } = begin();
    retire();
    await ended;
    expect(await readEnd(client)).to.match(/^HTTP\/1\.1 101 /);
  });

  it('ends it when the version retires later', async () => {
    const { client, ended } = begin();
    await once(client, 'readable');
    retire();
    await ended;
    expect(await readEnd(client)).to.match(/^HTTP\/1\.1 101 /);
  });
});
