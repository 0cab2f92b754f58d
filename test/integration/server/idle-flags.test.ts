import { expect } from 'chai';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer } from '../../support/test-server.ts';

describe('flags without effect', () => {
  it('are told in the log at start', async () => {
    const logger = createRecordingLogger();
    const flags = ['--requestheader-username-headers=X-User', '--watch-cache-sizes=pods#100,secrets#0'];
    const server = await startTestServer({ flags, logger });
    try {
      const told = logger.lines.map(({ message }) => message);
      expect(told).to.include(
        'headers of authenticating proxies mean nothing without --requestheader-client-ca-file',
      );
      expect(logger.lines).to.deep.include({
        level: 'info',
        message: '--watch-cache-sizes has no effect but for the size 0',
        fields: { sizes: 'pods#100' },
      });
    } finally {
      await server.stop();
    }
  });
});
