import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { ConnectTimeout } from '../../../../../src/net/dial/index.ts';
import { type Backend, BackendClient } from '../../../../../src/server/streaming/agent/index.ts';

const backend: Backend = { scheme: 'https', host: 'n1', port: 10_250, trust: 'agent' };

describe('BackendClient', () => {
  it('does not wait for a handshake longer than it may', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const client = new BackendClient({ connectTimeoutMs: 50 });
      const { port } = silent.address() as AddressInfo;
      const request = { method: 'GET', target: '/', headers: {} };
      const place = { ...backend, host: '127.0.0.1', port };
      const error = await client.send(place, request, new AbortController().signal).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(ConnectTimeout);
      expect(error).to.include({ phase: 'handshake' });
    } finally {
      silent.close();
    }
  });
});
