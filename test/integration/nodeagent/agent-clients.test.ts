import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type AgentClients, openAgentClients } from '../../../src/app/node-agent/agent-clients.ts';
import { type Clock, silentLogger, systemClock } from '../../../src/base/index.ts';
import { saveClientConfig, type UserEntry } from '../../../src/client/config/index.ts';
import { TransportError, watchEvents } from '../../../src/client/rest/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { isReason } from '../../../src/machinery/errors/index.ts';
import { eventually } from '../../support/eventually.ts';
import { failureOf } from '../../support/failure.ts';
import { OidcProviderServer } from '../../support/oidc-provider.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

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
      readonly orchconfigPath?: string;
    } = {},
    clock: Clock = systemClock,
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
      { dialect: orchDialect, version: '1', environment: {}, clock, logger: silentLogger },
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

  describe('with a user whose credentials are obtained', () => {
    /** Opens clients for a user with this entry. */
    const openAs = async (user: UserEntry): Promise<AgentClients> => {
      const path = join(directory.path, 'obtained');
      const { clusters, contexts, currentContext } = server.server.clientConfig;
      const name = contexts.get(currentContext)?.user ?? '';
      await saveClientConfig(path, { clusters, contexts, currentContext, users: new Map([[name, user]]) });
      return open('application/json', { orchconfigPath: path });
    };
    const who = async (clients: AgentClients): Promise<string> => {
      const review = {
        kind: 'SelfSubjectRulesReview',
        apiVersion: 'authorization.orch.io/v1',
        spec: { namespace: 'default' },
      };
      const path = '/apis/authorization.orch.io/v1/selfsubjectrulesreviews';
      const [main] = await Promise.all(
        [clients.main, clients.heartbeat].map((client) =>
          client.json<{ status: { resourceRules: readonly { verbs: readonly string[] }[] } }>({
            method: 'POST',
            path,
            body: review,
          }),
        ),
      );
      return JSON.stringify(main?.status.resourceRules).includes('"verbs":["*"]')
        ? 'administrator'
        : 'somebody';
    };
    /** A program that says what a file says, so that tests can change its mind. */
    const program = async (apiVersion: string, status: object) => {
      const file = join(directory.path, 'answer.json');
      const change = (next: object): Promise<void> =>
        writeFile(file, JSON.stringify({ kind: 'ExecCredential', apiVersion, status: next }));
      await change(status);
      return { user: { exec: { command: '/bin/cat', args: [file], apiVersion } }, change };
    };

    for (const version of ['v1alpha1', 'v1beta1']) {
      const apiVersion = `client.authentication.orch.io/${version}`;
      it(`present a token of a program (${version}), and another one when it is refused`, async () => {
        const { user, change } = await program(apiVersion, { token: tokens.admin });
        const clients = await openAs(user);
        expect(await who(clients)).to.equal('administrator');
        await change({ token: tokens.alice });
        expect(await who(clients)).to.equal('administrator');
        clients.close();
        const others = await openAs(user);
        await change({ token: 'nobody' });
        const failure = await failureOf(who(others));
        expect(isReason(failure, 'Unauthorized')).to.equal(true);
        await change({ token: tokens.alice });
        expect(await who(others)).to.equal('somebody');
        others.close();
      });
    }

    it('present a certificate of a program, and another one when it has expired', async () => {
      const { adminCertificatePem: clientCertificateData, adminKeyPem: clientKeyData } = server.server;
      const pair = { clientCertificateData, clientKeyData };
      const { user, change } = await program('client.authentication.orch.io/v1beta1', {
        ...pair,
        expirationTimestamp: new Date(Date.now() - 1000).toISOString(),
      });
      const clients = await openAs(user);
      expect(await who(clients)).to.equal('administrator');
      await change({ token: tokens.alice });
      expect(await who(clients)).to.equal('somebody');
      clients.close();
    });

    it('fail while a program gives none, and are never anonymous', async () => {
      const { user, change } = await program('client.authentication.orch.io/v1beta1', {});
      const clients = await openAs(user);
      expect((await failureOf(who(clients))).message).to.match(/^getting credentials: exec plugin didn't/);
      await change({ token: tokens.admin });
      expect(await who(clients)).to.equal('administrator');
      clients.close();
    });

    it('are refused for providers that nobody knows', async () => {
      const failure = await failureOf(openAs({ authProvider: { name: 'gcp' } }));
      expect(failure.message).to.equal('no Auth Provider found for name "gcp"');
    });

    it('present ID tokens of a provider, refreshed, and written to the file', async () => {
      await using provider = await OidcProviderServer.start();
      const ca = join(directory.path, 'provider.pem');
      await writeFile(ca, Buffer.from(provider.caData, 'base64'));
      const flags = [`--oidc-issuer-url=${provider.issuer}`, '--oidc-client-id=orch', `--oidc-ca-file=${ca}`];
      const other = await startTestServer({ flags });
      try {
        const path = join(directory.path, 'oidc');
        const { clusters, contexts, currentContext } = other.server.clientConfig;
        const name = contexts.get(currentContext)?.user ?? '';
        const config = provider.settings(await provider.sign(-1));
        await saveClientConfig(path, {
          clusters,
          contexts,
          currentContext,
          users: new Map([[name, { authProvider: { name: 'oidc', config } }]]),
        });
        const clients = await open('application/json', { orchconfigPath: path });
        expect(await who(clients)).to.equal('somebody');
        expect(provider.refreshes.length).to.equal(1);
        expect(await readFile(path, 'utf8')).not.to.contain(config['id-token']);
        clients.close();
      } finally {
        await other.stop();
      }
    });
  });

  it('refuse content types that nobody knows', async () => {
    const failure = await open('text/plain').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(RangeError);
  });

  it('ask at the rate of the options, but for the heartbeat', async () => {
    const clock = new ManualClock();
    const clients = await open('application/json', { orchApiQps: 20, orchApiBurst: 2 }, clock);
    const answered: string[] = [];
    const ask = async (client: 'main' | 'heartbeat'): Promise<void> => {
      await clients[client].json({ method: 'GET', path: '/version' });
      answered.push(client);
    };
    const askAll = (client: 'main' | 'heartbeat') =>
      Promise.all(Array.from({ length: 6 }, () => ask(client)));
    try {
      const main = askAll('main');
      await askAll('heartbeat');
      // Two may come at once, and one each 50 ms.
      for (let expected = 2; expected <= 6; expected++) {
        const ofMain = () => answered.filter((client) => client === 'main').length;
        await eventually(async () => ofMain() === expected || undefined);
        expect(clock.timerCount).to.equal(6 - expected);
        clock.advance(50);
      }
      await main;
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
