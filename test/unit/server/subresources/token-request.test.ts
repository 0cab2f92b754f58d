import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { createSubresourceHandlers } from '../../../../src/server/subresources/index.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';
import { audiences, TokenBench } from '../authentication/service-account-bench.ts';

const core = '/api/v1/namespaces/n';
const apiVersion = 'authentication.orch.io/v1';

describe('tokenRequestHandler', () => {
  let bench: ApiBench;
  beforeEach(async () => {
    const tokenIssuer = new TokenBench().makeIssuer();
    bench = await openApiBench(({ stores }) => ({
      subresources: createSubresourceHandlers({ stores, tokenIssuer }),
    }));
    for (const name of ['sa', 'other']) {
      const body = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name } };
      expect((await bench.send('POST', `${core}/serviceaccounts`, { body })).code).to.equal(201);
    }
    const spec = { serviceAccountName: 'sa', containers: [{ name: 'c', image: 'nginx:1.19' }] };
    const body = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec };
    expect((await bench.send('POST', `${core}/pods`, { body })).code).to.equal(201);
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const ask = (spec: object | undefined, account = 'sa') =>
    bench.send('POST', `${core}/serviceaccounts/${account}/token`, {
      body: { kind: 'TokenRequest', apiVersion, ...(spec === undefined ? {} : { spec }) },
    });
  const uidOf = async (path: string) =>
    (await bench.send('GET', `${core}/${path}`)).body.metadata.uid as string;

  for (const spec of [undefined, {}]) {
    it(`fills in what a request ${spec === undefined ? 'without spec' : 'with an empty spec'} leaves out`, async () => {
      const { code, body } = await ask(spec);
      expect(code).to.equal(201);
      const { token } = body.status;
      expect(body).to.deep.equal({
        kind: 'TokenRequest',
        apiVersion,
        metadata: {
          creationTimestamp: null,
          managedFields: [
            {
              manager: 'unknown',
              operation: 'Update',
              apiVersion,
              time: '2021-02-03T04:05:06Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:expirationSeconds': {} } },
            },
          ],
        },
        spec: { audiences, expirationSeconds: 3600, boundObjectRef: null },
        status: { token, expirationTimestamp: '2021-02-03T05:05:06Z' },
      });
      const claims = decodeJwt(token);
      expect(claims.sub).to.equal('system:serviceaccount:n:sa');
      const uid = await uidOf('serviceaccounts/sa');
      expect(claims['orch.io']).to.deep.equal({ namespace: 'n', serviceaccount: { name: 'sa', uid } });
    });
  }

  it('binds a token to a pod of the account', async () => {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
    const { code, body } = await ask({ boundObjectRef, audiences: ['vault'], expirationSeconds: 600 });
    expect(code).to.equal(201);
    expect(body.spec).to.deep.equal({ audiences: ['vault'], expirationSeconds: 600, boundObjectRef });
    const claims = decodeJwt(body.status.token);
    expect(claims['orch.io']).to.deep.include({ pod: { name: 'p', uid: await uidOf('pods/p') } });
  });

  const podRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
  const refused: readonly (readonly [string, object, string, number, string])[] = [
    [
      'a pod without a name',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1' } },
      'sa',
      400,
      'Name parameter required.',
    ],
    ['an account that is not there', {}, 'none', 404, 'serviceaccounts "none" not found'],
    [
      'a short lifetime',
      { expirationSeconds: 10 },
      'sa',
      422,
      'TokenRequest.authentication.orch.io "" is invalid: spec.expirationSeconds: Invalid value: 10: may not specify a duration less than 10 minutes',
    ],
    [
      'a very long lifetime',
      { expirationSeconds: 2 ** 32 + 1 },
      'sa',
      422,
      'TokenRequest.authentication.orch.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      'a pod of another account',
      { boundObjectRef: podRef },
      'other',
      400,
      'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    ],
    [
      'another uid than that of the pod',
      { boundObjectRef: { ...podRef, uid: 'other' } },
      'sa',
      409,
      'Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (other) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'a pod that is not there',
      { boundObjectRef: { ...podRef, name: 'q' } },
      'sa',
      404,
      'pods "q" not found',
    ],
    [
      'a secret that is not there',
      { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's' } },
      'sa',
      404,
      'secrets "s" not found',
    ],
    [
      'objects of other kinds',
      { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd' } },
      'sa',
      400,
      'cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
  ];
  for (const [title, spec, account, code, message] of refused) {
    it(`refuses ${title}`, async () => {
      const { body } = await ask(spec, account);
      expect([body.code, body.message]).to.deep.equal([code, message]);
    });
  }
});
