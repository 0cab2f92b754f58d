import { expect } from 'chai';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer } from '../../support/test-server.ts';

const path = '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations';
const configuration = (name: string) => ({
  kind: 'ValidatingWebhookConfiguration',
  apiVersion: 'admissionregistration.orch.io/v1',
  metadata: { name },
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

describe('what is not built yet', () => {
  it('is told in the log: at start, and when a configuration for it is stored', async () => {
    const logger = createRecordingLogger();
    const server = await startTestServer({
      flags: ['--enable-admission-plugins=EventRateLimit', '--authorization-mode=Node,RBAC'],
      logger,
    });
    try {
      const told = (text: string) => logger.lines.filter(({ message }) => message.includes(text));
      const [plugins] = told('admission plugins without effect');
      expect(String(plugins?.fields.plugins).split(',')).to.include('EventRateLimit');
      expect(told('authorization mode Node grants nothing')).to.have.lengthOf(1);
      await server.admin.create(`${path}?dryRun=All`, configuration('dry'));
      await server.admin.create(path, configuration('c'));
      expect(told('calls no webhooks').map(({ fields }) => fields.configuration)).to.deep.equal(['c']);
    } finally {
      await server.stop();
    }
  });
});
