import { expect } from 'chai';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { createRestClient } from '../../../src/client/rest/index.ts';
import { controllerNames, startControllers } from '../../../src/controllers/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { controllerSettings } from '../../support/controller-settings.ts';

/** Which controllers run when these are enabled. None of them gets as far as a request. */
async function runOf(enabled: (name: string) => boolean): Promise<readonly string[]> {
  const client = createRestClient({ connection: { server: 'https://127.0.0.1:1', tls: {}, auth: {} } });
  const never = () => Promise.reject(new Error('nothing is signed here'));
  const { names, ended } = startControllers({
    ...{ client, dialect: orchDialect, enabled, settings: controllerSettings },
    ...{ logger: silentLogger, clock: systemClock, signal: AbortSignal.abort() },
    authority: { pem: () => 'pem', onChange: () => () => {} },
    signSecretToken: never,
    certificates: { read: never, sign: never, expiryOf: () => undefined },
  });
  await ended;
  client.close();
  return names;
}

describe('the controllers that run', () => {
  it('are all that have a name', async () => {
    expect([...(await runOf(() => true))].sort()).to.deep.equal([...controllerNames].sort());
  });

  for (const name of controllerNames) {
    it(`are all others when ${name} is switched off`, async () => {
      const names = await runOf((each) => each !== name);
      expect([...names].sort()).to.deep.equal(controllerNames.filter((each) => each !== name).sort());
    });
  }
});
