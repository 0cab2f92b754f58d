import { expect } from 'chai';
import { CalloutError, DocumentReader } from '../../../../src/server/callouts/index.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

describe('DocumentReader', () => {
  let server: WebhookServer;
  let reader: DocumentReader;
  const limits = { timeoutMs: 10_000, maxBytes: 100 };
  before(async () => {
    server = await WebhookServer.start(({ url }, response) => {
      if (url === '/large') response.end(JSON.stringify('x'.repeat(100)));
      else if (url === '/text') response.end('hello');
      else if (url === '/moved') response.writeHead(302, { location: '/good' }).end();
      else if (url === '/broken') response.socket?.destroy();
      else if (url !== '/silent') response.end(JSON.stringify({ url }));
    });
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    const authorities = Buffer.from(server.caBundle, 'base64').toString();
    reader = new DocumentReader({ authorities, ...limits });
  });
  afterEach(() => reader.close());
  const failureOf = async (address: string, from = reader): Promise<string> => {
    const failure = await from.read(address).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(CalloutError);
    return (failure as CalloutError).message; // just checked
  };

  it('reads what is there, with the query, over one connection', async () => {
    const before = server.connections;
    for (const path of ['/good', '/keys?p=1&q=2']) {
      expect(await reader.read(server.url + path)).to.deep.equal({ url: path });
    }
    expect(server.connections - before).to.equal(1);
  });

  const failures: readonly (readonly [string, RegExp])[] = [
    ['/large', /: more than 100 bytes$/],
    ['/text', /: Unexpected token/],
    ['/moved', /: status 302$/],
    ['/broken', /: EOF$/],
  ];
  for (const [path, expected] of failures) {
    it(`fails for ${path}, naming the address`, async () => {
      const message = await failureOf(server.url + path);
      expect(message).to.match(expected);
      expect(message).to.contain(`Get "${server.url}${path}"`);
    });
  }

  it('believes its authorities only', async () => {
    const other = new DocumentReader({ authorities: undefined, ...limits });
    expect(await failureOf(`${server.url}/good`, other)).to.match(
      /x509: certificate signed by unknown authority$/,
    );
    other.close();
  });

  it('does not wait for ever', async () => {
    const authorities = Buffer.from(server.caBundle, 'base64').toString();
    const hasty = new DocumentReader({ authorities, timeoutMs: 50, maxBytes: 100 });
    expect(await failureOf(`${server.url}/silent`, hasty)).to.match(/: context deadline exceeded$/);
    hasty.close();
  });

  for (const address of ['http://localhost/x', 'file:///etc/passwd', 'nonsense']) {
    it(`reads nothing from ${address}`, async () => {
      expect(await reader.read(address).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    });
  }
});
