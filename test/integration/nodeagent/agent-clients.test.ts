import { join } from 'node:path';
import { expect } from 'chai';
import { type AgentClients, openAgentClients } from '../../../src/app/node-agent/agent-clients.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { watchEvents } from '../../../src/client/rest/index.ts';
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

  const open = (orchApiContentType: string): Promise<AgentClients> =>
    openAgentClients(
      { orchconfigPath, orchApiQps: 1000, orchApiBurst: 1000, orchApiContentType, chaosChance: 0 },
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
});
