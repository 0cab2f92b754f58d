import { expect } from 'chai';
import { importJWK, jwtVerify } from 'jose';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { readTokenKeys } from '../../../../src/server/authentication/service-account-keys.ts';
import { configurationPath, createIssuerHandlers, keySetPath } from '../../../../src/server/issuer/index.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { makeExchange } from '../api-bench.ts';
import { ecPem, issuer, order, rsaPem, TokenBench } from '../authentication/service-account-bench.ts';

function makeHandlers(pems: readonly string[], keySetUrl?: string) {
  const keys = readTokenKeys(pems, 'keys');
  return createIssuerHandlers({ issuer, keys, serverUrl: () => 'https://127.0.0.1:6443', keySetUrl });
}

async function get(handlers: ReturnType<typeof makeHandlers>, path: string, accept?: string) {
  const { exchange, answer } = makeExchange('GET', path, accept === undefined ? {} : { accept });
  await handlers.get(path)?.(exchange);
  return answer();
}

describe('createIssuerHandlers', () => {
  it('describes the issuer', async () => {
    const { code, headers, body } = await get(makeHandlers([rsaPem.publicKey]), configurationPath);
    expect(code).to.equal(200);
    expect(headers).to.include({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
    });
    expect(body).to.deep.equal({
      issuer,
      jwks_uri: 'https://127.0.0.1:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
  });

  it('names another place of the keys, and each algorithm once', async () => {
    const handlers = makeHandlers([ecPem.publicKey, rsaPem.publicKey], 'https://keys.example.com/set');
    const { body } = await get(handlers, configurationPath);
    expect(body.jwks_uri).to.equal('https://keys.example.com/set');
    expect(body.id_token_signing_alg_values_supported).to.deep.equal(['ES256', 'RS256']);
  });

  it('shows keys that verify tokens', async () => {
    const { code, headers, body } = await get(makeHandlers([rsaPem.publicKey]), keySetPath, '*/*');
    expect(code).to.equal(200);
    expect(headers).to.include({ 'content-type': 'application/jwk-set+json' });
    const [key] = body.keys;
    expect(Object.keys(key)).to.deep.equal(['use', 'kty', 'kid', 'alg', 'n', 'e']);
    expect(key).to.include({ use: 'sig', kty: 'RSA', alg: 'RS256', e: 'AQAB' });
    const bench = new TokenBench();
    const { token } = await bench.makeIssuer().issue(order);
    const currentDate = new Date(bench.nowMs);
    const { payload } = await jwtVerify(token, await importJWK(key), { currentDate });
    expect(payload.sub).to.equal('system:serviceaccount:n:sa');
  });

  it('follows the list of keys', async () => {
    const keys = readTokenKeys([rsaPem.publicKey], 'keys');
    const handlers = createIssuerHandlers({ issuer, keys, serverUrl: () => 'https://127.0.0.1:6443' });
    const algorithms = async () => {
      const { body: set } = await get(handlers, keySetPath, '*/*');
      const { body: configuration } = await get(handlers, configurationPath);
      return [
        set.keys.map(({ alg }: { readonly alg: string }) => alg),
        configuration.id_token_signing_alg_values_supported,
      ];
    };
    expect(await algorithms()).to.deep.equal([['RS256'], ['RS256']]);
    keys.push(...readTokenKeys([ecPem.publicKey], 'keys'));
    expect(await algorithms()).to.deep.equal([
      ['RS256', 'ES256'],
      ['ES256', 'RS256'],
    ]);
  });

  it('shows the curve of ECDSA keys', async () => {
    const { body } = await get(makeHandlers([ecPem.publicKey]), keySetPath);
    expect(body.keys[0]).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(body.keys[0]).not.to.have.property('d');
  });

  it('sends keys to nobody who wants plain JSON', async () => {
    const handlers = makeHandlers([rsaPem.publicKey]);
    const error: unknown = await get(handlers, keySetPath, 'application/json').catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(StatusError).with.property('code', 406);
    expect((await get(handlers, keySetPath, 'application/jwk-set+json')).code).to.equal(200);
  });

  it('sends the configuration to nobody who takes no JSON', async () => {
    const handlers = makeHandlers([rsaPem.publicKey]);
    await expectStatus(get(handlers, configurationPath, 'text/html'), { code: 406 });
    expect((await get(handlers, configurationPath, 'text/html, application/json')).code).to.equal(200);
  });

  for (const path of [configurationPath, keySetPath]) {
    it(`lets ${path} be read only`, () => {
      const { exchange } = makeExchange('POST', path, {});
      const handler = makeHandlers([rsaPem.publicKey]).get(path);
      return expectStatus(() => handler?.(exchange), { code: 405 });
    });
  }
});
