import { expect } from 'chai';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { startTestServer } from '../../../support/test-server.ts';

describe('a server whose admission refuses its own objects', () => {
  it('starts, tells which are missing, and refuses everything else, too', async () => {
    const logger = createRecordingLogger();
    const server = await startTestServer({ flags: ['--enable-admission-plugins=AlwaysDeny'], logger });
    try {
      const { code, body } = await server.admin.send('POST', '/api/v1/namespaces', {
        body: { metadata: { name: 'n' } },
      });
      expect([code, body.message]).to.deep.equal([
        403,
        'namespaces "n" is forbidden: admission control is denying all modifications',
      ]);
      const refused = logger.lines.filter(({ message }) => /refused by admission/.test(message));
      const places = refused.map(({ fields }) => `${fields?.namespace ?? ''}/${fields?.name}`);
      expect(places).to.include.members(['/default', 'default/orch']);
    } finally {
      await server.stop();
    }
  });
});
