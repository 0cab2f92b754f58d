import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { establish, widget, widgetDefinition } from '../../support/definitions.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const group = 'delegated.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;

describe('a server that asks another one who its users are, and what they may do', () => {
  let directory: TemporaryDirectory;
  let core: TestServer;
  let behind: TestServer;
  let alice: ApiClient;
  before(async () => {
    directory = await makeTemporaryDirectory();
    core = await startTestServer();
    const configFile = join(directory.path, 'core.orchconfig');
    const noTokens = join(directory.path, 'tokens.csv');
    await saveClientConfig(configFile, core.server.clientConfig);
    await writeFile(noTokens, '');
    behind = await startTestServer({
      flags: [
        `--token-auth-file=${noTokens}`,
        `--authentication-orchconfig=${configFile}`,
        `--authorization-orchconfig=${configFile}`,
        '--authorization-mode=Webhook',
        '--authorization-webhook-cache-authorized-ttl=0',
        '--authorization-webhook-cache-unauthorized-ttl=0',
      ],
    });
    await establish(behind.admin, widgetDefinition(group));
    alice = behind.withToken(tokens.alice);
  });
  after(async () => {
    await behind.stop();
    await core.stop();
    await directory.remove();
  });

  it('knows the tokens of that one, and refuses others', async () => {
    const { code, body } = await alice.get(path);
    expect(code).to.equal(403);
    expect(body.message).to.include('User "alice" cannot list resource "widgets"');
    expect((await behind.withToken('unknown').get(path)).code).to.equal(401);
  });

  it('lets them do what roles there say', async () => {
    const rbac = '/apis/rbac.authorization.orch.io/v1';
    const verbs = ['create', 'list'];
    await core.admin.create(`${rbac}/clusterroles`, {
      metadata: { name: 'widgets' },
      rules: [{ apiGroups: [group], resources: ['widgets'], verbs }],
    });
    await core.admin.create(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'widgets' },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'widgets' },
      subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'Group', name: 'devs' }],
    });
    await alice.create(path, widget(group, 'one'));
    expect((await alice.get(path)).body.items).to.have.length(1);
    expect((await alice.get(`${path}/one`)).code).to.equal(403);
  });
});
