import { generateKeyPairSync } from 'node:crypto';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  type ServiceAccountOptions,
  ServiceAccountVerifier,
  type TokenUse,
} from '../../../../src/server/authentication/service-account.ts';
import { readSigningKey, readTokenKeys } from '../../../../src/server/authentication/service-account-keys.ts';
import type { BoundObject } from '../../../../src/server/authentication/service-account-lookup.ts';
import {
  TokenIssuer,
  type TokenIssuerOptions,
  type TokenOrder,
} from '../../../../src/server/authentication/service-account-tokens.ts';

export const rsaPem = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
export const ecPem = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const issuer = 'https://orch.default.svc';
export const audiences = [issuer];
export const order: TokenOrder = {
  namespace: 'n',
  serviceAccount: { name: 'sa', uid: 'sa-uid' },
  audiences: [],
  expirationSeconds: 3600,
};

/** An issuer and a verifier that share keys, a clock that tests set, and the objects that exist. */
export class TokenBench {
  nowMs = Date.parse('2021-02-03T04:05:06Z');
  readonly objects = new Map<string, BoundObject>([
    ['serviceaccounts/n/sa', { uid: 'sa-uid', deletedAtMs: undefined }],
  ]);

  /** What secrets keep, by namespace and name. */
  readonly kept = new Map<string, string>();
  /** Uses of tokens that were told of. */
  readonly uses: TokenUse[] = [];

  advance(ms: number): void {
    this.nowMs += ms;
  }

  makeIssuer(options: Partial<TokenIssuerOptions> = {}): TokenIssuer {
    const signingKey = readSigningKey(rsaPem.privateKey, 'key');
    const nowMs = () => this.nowMs;
    return new TokenIssuer({ dialect: orchDialect, issuer, audiences, signingKey, nowMs, ...options });
  }

  makeVerifier(options: Partial<ServiceAccountOptions> = {}): ServiceAccountVerifier {
    return new ServiceAccountVerifier({
      dialect: orchDialect,
      issuer,
      audiences,
      keys: readTokenKeys([rsaPem.publicKey, ecPem.publicKey], 'keys'),
      lookup: (resource, namespace, name) => this.objects.get(`${resource}/${namespace}/${name}`),
      findKeptToken: (namespace, name) => this.kept.get(`${namespace}/${name}`),
      looksUpKept: true,
      onUse: (use) => this.uses.push(use),
      nowMs: () => this.nowMs,
      ...options,
    });
  }
}
