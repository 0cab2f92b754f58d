import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { expect } from 'chai';
import { type Callee, CalleeAgents } from '../../../../src/server/callouts/index.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

describe('kept connections', () => {
  let server: WebhookServer;
  let agents: CalleeAgents;
  before(async () => {
    server = await WebhookServer.start((_call, response) => response.end(), ['hook.space.svc']);
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    server.calls.length = 0;
    agents = new CalleeAgents();
  });
  afterEach(() => agents.close());

  const callee = (more: Partial<Callee> = {}): Callee => ({
    host: '127.0.0.1',
    port: server.port,
    authority: 'hook.space.svc:443',
    serverName: 'hook.space.svc',
    authorities: Buffer.from(server.caBundle, 'base64').toString(),
    locate: undefined,
    ...more,
  });
  const call = async (to: Callee): Promise<void> => {
    const sent: ClientRequest = request({ agent: agents.of(to), path: '/', host: to.host, port: to.port });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
  };
  const failureOf = (to: Callee): Promise<unknown> =>
    call(to).then(
      () => expect.fail('was connected'),
      (error: { readonly code?: string }) => error.code,
    );
  const pairOf = async (commonName: string) => {
    const times = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
    const authority = await makeAuthority({ commonName: 'clients', ...times });
    return issueCertificate({ authority, subject: { commonName }, usage: 'client', ...times });
  };

  it('present the client certificate that belongs to the callee, and name its server', async () => {
    for (const name of ['one', 'two']) await call(callee({ clientPair: await pairOf(name) }));
    await call(callee());
    expect(server.calls.map(({ clientName }) => clientName)).to.deep.equal(['one', 'two', undefined]);
    expect(server.calls[0]?.serverName).to.equal('hook.space.svc');
  });

  it('take a certificate of anybody only where nothing is verified', async () => {
    const stranger = { authorities: undefined };
    expect(await failureOf(callee(stranger))).to.equal('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    await call(callee({ ...stranger, isUnverified: true }));
    expect(server.calls).to.have.length(1);
    expect(await failureOf(callee(stranger)), 'afterwards').to.equal('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('take no certificate of another name', async () => {
    expect(await failureOf(callee({ serverName: 'other.space.svc' }))).to.equal(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
  });
});
