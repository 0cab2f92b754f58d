import { expect } from 'chai';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer } from '../../support/test-server.ts';

describe('flags without effect', () => {
  it('are told in the log at start', async () => {
    const logger = createRecordingLogger();
    const server = await startTestServer({ flags: ['--requestheader-username-headers=X-User'], logger });
    try {
      const told = logger.lines.map(({ message }) => message);
      expect(told).to.include(
        'headers of authenticating proxies mean nothing without --requestheader-client-ca-file',
      );
    } finally {
      await server.stop();
    }
  });
});
