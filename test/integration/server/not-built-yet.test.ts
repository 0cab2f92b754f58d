import { expect } from 'chai';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer } from '../../support/test-server.ts';

describe('what is not built yet', () => {
  it('is told in the log at start', async () => {
    const logger = createRecordingLogger();
    const server = await startTestServer({
      flags: ['--enable-admission-plugins=PodSecurityPolicy'],
      logger,
    });
    try {
      const told = (text: string) => logger.lines.filter(({ message }) => message.includes(text));
      const [plugins] = told('admission plugins without effect');
      expect(String(plugins?.fields.plugins).split(',')).to.include('PodSecurityPolicy');
    } finally {
      await server.stop();
    }
  });
});
