import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  createServiceAccountTokens,
  type ServiceAccountTokens,
} from '../../../../src/nodeagent/objects/service-account-tokens.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { podOf } from '../container-config/pods.ts';
import { fakeRestClient, refusal, type SentRequest } from '../fake-rest.ts';

const second = 1000;

describe('createServiceAccountTokens', () => {
  let clock: ManualClock;
  let sent: SentRequest[];
  let tokens: ServiceAccountTokens;
  let isRefusing: boolean;
  beforeEach(() => {
    clock = new ManualClock();
    sent = [];
    isRefusing = false;
    const client = fakeRestClient((request) => {
      if (isRefusing) return refusal(403, 'Forbidden');
      sent.push(request);
      const { spec } = request.body as { spec: { expirationSeconds: number } }; // what the code under test sends
      const expiresAtMs = clock.nowMs() + spec.expirationSeconds * second;
      const status = { token: `t${sent.length}`, expirationTimestamp: new Date(expiresAtMs).toISOString() };
      return { status: 201, body: { status } };
    });
    const { signal } = new AbortController();
    tokens = createServiceAccountTokens({
      client,
      dialect: orchDialect,
      clock,
      logger: silentLogger,
      signal,
    });
  });
  const pod = podOf({ serviceAccountName: 'robot' });
  const get = async (audience = 'me', expirationSeconds = 1000) =>
    (await tokens.get({ pod, audience, expirationSeconds })).token;
  const complaint = () =>
    get().then(
      () => '',
      (error: Error) => error.message,
    );

  it('asks for a token that is bound to the pod', async () => {
    expect(await get()).to.equal('t1');
    expect(sent[0]).to.deep.include({
      method: 'POST',
      path: '/api/v1/namespaces/shop/serviceaccounts/robot/token',
    });
    expect(sent[0]?.body).to.deep.equal({
      apiVersion: 'authentication.orch.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: ['me'],
        expirationSeconds: 1000,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u-1' },
      },
    });
    await get('');
    expect(sent[1]?.body).to.deep.nested.include({ 'spec.audiences': [] });
  });

  it('says until when a token is good, as the server does', async () => {
    const expirationTimestamp = new Date(clock.nowMs() + 600 * second).toISOString();
    expect(await tokens.get({ pod, audience: 'me', expirationSeconds: 600 })).to.deep.equal({
      token: 't1',
      expirationTimestamp,
    });
  });

  it('keeps a token for four fifths of its life', async () => {
    await get();
    clock.advance(799 * second);
    expect(await get()).to.equal('t1');
    clock.advance(second);
    expect(await get()).to.equal('t2');
  });

  it('renews tokens that live long after a day', async () => {
    const year = 365 * 24 * 3600;
    await get('me', year);
    clock.advance(24 * 3600 * second);
    expect(await get('me', year)).to.equal('t2');
  });

  it('serves an old token while it is good and cannot be renewed', async () => {
    await get();
    isRefusing = true;
    clock.advance(900 * second);
    expect(await get()).to.equal('t1');
    clock.advance(100 * second);
    expect(await complaint()).to.equal('token shop/robot expired and refresh failed: Forbidden');
  });

  it('says why there is none', async () => {
    isRefusing = true;
    expect(await complaint()).to.equal('failed to fetch token: Forbidden');
  });

  it('keeps tokens of different audiences apart, and none of a pod that has gone', async () => {
    expect([await get('a'), await get('b'), await get('a')]).to.deep.equal(['t1', 't2', 't1']);
    tokens.forget('u-1');
    expect(await get('a')).to.equal('t3');
  });
});
