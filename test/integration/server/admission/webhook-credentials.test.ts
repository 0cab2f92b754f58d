import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '../../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { startTestServer } from '../../../support/test-server.ts';
import {
  configurationsPath,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

const group = 'apiserver.config.orch.io';
const plugin = 'MutatingAdmissionWebhook';

describe('credentials for admission webhooks', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  /** The flag of a configuration with this for the mutating webhooks. */
  async function flagFor(configuration: object, users: readonly object[] = []): Promise<string> {
    const path = join(directory.path, 'admission.yaml');
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: `${group}/v1`,
        kind: 'AdmissionConfiguration',
        plugins: [{ name: plugin, ...configuration }],
      }),
    );
    const hooks = { apiVersion: 'v1', kind: 'Config', users };
    await writeFile(join(directory.path, 'hooks.conf'), JSON.stringify(hooks));
    return `--admission-control-config-file=${path}`;
  }
  const ofWebhooks = {
    apiVersion: `${group}/v1`,
    kind: 'WebhookAdmissionConfiguration',
    orchConfigFile: 'hooks.conf',
  };

  it('are those of the entry that fits the host best', async () => {
    await using hooks = await WebhookServer.start((call, response) =>
      response.end(reviewAnswer(call, { allowed: true })),
    );
    const host = `127.0.0.1:${hooks.port}`;
    const entries: readonly (readonly [names: readonly string[], token: string | undefined])[] = [
      [[host, '*.0.0.1', '*'], host],
      [[`*.0.0.1:${hooks.port}`, '*'], `*.0.0.1:${hooks.port}`],
      [[`*.1:${hooks.port}`, '*'], `*.1:${hooks.port}`],
      [['other', '*'], '*'],
      [['other'], undefined],
    ];
    for (const [names, token] of entries) {
      const users = names.map((name) => ({ name, user: { token: `token of ${name}` } }));
      const flags = [await flagFor({ configuration: ofWebhooks }, users)];
      const server = await startTestServer({ flags });
      try {
        await server.admin.create(configurationsPath('Mutating'), webhookConfiguration({}, hooks, [{}]));
        await server.admin.create('/api/v1/namespaces/default/configmaps', {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { name: 'a' },
        });
      } finally {
        await server.stop();
      }
      const sent = hooks.calls.pop()?.headers.authorization;
      expect(sent, names.join()).to.equal(token && `Bearer token of ${token}`);
    }
  });

  it('are taken from both kinds of configurations', async () => {
    const older = { ...ofWebhooks, apiVersion: `${group}/v1alpha1`, kind: 'WebhookAdmission' };
    const server = await startTestServer({ flags: [await flagFor({ configuration: older })] });
    await server.stop();
  });

  const wrong: readonly (readonly [configuration: object, message: string])[] = [
    [{ configuration: { ...ofWebhooks, kind: 'Other' } }, 'must be of kind WebhookAdmissionConfiguration'],
    [
      { configuration: { ...ofWebhooks, kind: 'WebhookAdmission' } },
      `must be of kind WebhookAdmission in version ${group}/v1alpha1`,
    ],
    [
      { configuration: { ...ofWebhooks, apiVersion: 'apiserver.orch.io/v1alpha1' } },
      `must be of kind WebhookAdmissionConfiguration in version ${group}/v1`,
    ],
    [{ configuration: { ...ofWebhooks, other: 1 } }, 'other: no such field'],
    [{ configuration: { ...ofWebhooks, orchConfigFile: 'nothing' } }, 'nothing'],
    [{ path: 'nothing.yaml' }, 'nothing.yaml'],
    [
      { name: 'AlwaysPullImages', configuration: {} },
      'AlwaysPullImages takes no configuration in this version',
    ],
    [{ surprise: true }, 'plugins[0].surprise: no such field'],
  ];
  for (const [configuration, message] of wrong) {
    it(`are refused at the start with ${JSON.stringify(configuration)}`, async () => {
      const flags = [await flagFor(configuration)];
      const error = await failureOf(startTestServer({ flags }));
      expect(String(error)).to.contain('--admission-control-config-file').and.to.contain(message);
    });
  }
});
