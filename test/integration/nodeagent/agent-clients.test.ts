import { join } from 'node:path';
import { expect } from 'chai';
import { type AgentClients, openAgentClients } from '../../../src/app/node-agent/agent-clients.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { TransportError, watchEvents } from '../../../src/client/rest/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

describe('clients of the agent', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let orchconfigPath: string;
  before(async () => {
    directory = await makeTemporaryDirectory();
    orchconfigPath = join(directory.path, 'orchconfig');
    server = await startTestServer();
    await saveClientConfig(orchconfigPath, server.server.clientConfig);
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const open = (
    orchApiContentType: string,
    more: {
      readonly orchApiQps?: number;
      readonly orchApiBurst?: number;
      readonly chaosChance?: number;
    } = {},
  ): Promise<AgentClients> =>
    openAgentClients(
      {
        orchconfigPath,
        orchApiQps: 1000,
        orchApiBurst: 1000,
        orchApiContentType,
        chaosChance: 0,
        ...more,
      },
      { dialect: orchDialect, version: '1', clock: systemClock, logger: silentLogger },
    );

  for (const contentType of ['application/json', orchDialect.protobufMediaType]) {
    it(`speak ${contentType} when the options say so`, async () => {
      const clients = await open(contentType);
      const name = contentType.replace(/\W/g, '-');
      try {
        const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { a: 'b' } };
        const created = await clients.main.json({ method: 'POST', path: maps, body });
        expect(created).to.deep.include({ kind: 'ConfigMap', data: { a: 'b' } });
        for (const client of [clients.main, clients.heartbeat, clients.events]) {
          expect(client.encoding?.contentType ?? 'application/json').to.equal(contentType);
          expect(await client.json({ method: 'GET', path: `${maps}/${name}` })).to.deep.equal(created);
        }
        const query = { fieldSelector: `metadata.name=${name}` };
        for await (const { object } of watchEvents(clients.main, { method: 'GET', path: maps, query })) {
          expect(object).to.deep.equal(created);
          break;
        }
      } finally {
        clients.close();
      }
    });
  }

  it('refuse content types that nobody knows', async () => {
    const failure = await open('text/plain').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(RangeError);
  });

  it('ask at the rate of the options, but for the heartbeat', async () => {
    const clients = await open('application/json', { orchApiQps: 20, orchApiBurst: 2 });
    const order: number[] = [];
    const ask = async (client: AgentClients['main']): Promise<number> => {
      const beganMs = performance.now();
      for (let count = 0; count < 6; count++) await client.json({ method: 'GET', path: '/version' });
      return performance.now() - beganMs;
    };
    try {
      expect(await ask(clients.main)).to.be.at.least(180); // four beyond the burst, 50 ms each
      await Promise.all(
        [ask(clients.main), ask(clients.heartbeat)].map((each, index) => each.then(() => order.push(index))),
      );
      expect(order).to.deep.equal([1, 0]);
    } finally {
      clients.close();
    }
  });

  it('fail by chance when the options ask for it', async () => {
    const clients = await open('application/json', { chaosChance: 1 });
    const failure = await clients.heartbeat.send({ method: 'GET', path: '/version' }).catch((error) => error);
    expect(failure).to.be.instanceOf(TransportError).with.property('code', 'broken');
    clients.close();
  });
});
