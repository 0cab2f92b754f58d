import type { TokenKey } from '../authentication/index.ts';
import { requireDocumentRequest } from '../request/document-request.ts';
import type { Handler } from '../request/exchange.ts';
import { respond } from '../request/respond.ts';

/** Where the issuer and the place of its keys are served (OpenID Connect Discovery 1.0, section 4). */
export const configurationPath = '/.well-known/openid-configuration';
/** Where the public keys are served as a JSON Web Key Set (RFC 7517, section 5). */
export const keySetPath = '/openid/v1/jwks';

const configurationType = 'application/json';
const keySetType = 'application/jwk-set+json';
/** Keys change seldom; clients may keep the documents for an hour. */
const caching = { 'cache-control': 'public, max-age=3600' };

/** What the two documents of the issuer say. */
export interface IssuerOptions {
  /** Value of `--service-account-issuer`. */
  readonly issuer: string;
  /** Keys that verify tokens, each once. The list may change. */
  readonly keys: readonly TokenKey[];
  /** `https://HOST:PORT` under which clients reach this server; read when the first document is requested. */
  readonly serverUrl: () => string;
  /** Other place of the key set (`--service-account-jwks-uri`). */
  readonly keySetUrl?: string | undefined;
}

/** Handlers of the issuer's documents by path (OpenID Connect Discovery 1.0, as far as tokens need it). */
export function createIssuerHandlers(options: IssuerOptions): ReadonlyMap<string, Handler> {
  let configuration: Buffer | undefined;
  let keySet: Buffer | undefined;
  let described = '';
  /** Both documents are made again when there are other keys. */
  const lookAtKeys = (): void => {
    const now = options.keys.map(({ keyId }) => keyId).join();
    if (now === described) return;
    described = now;
    configuration = undefined;
    keySet = undefined;
  };
  return new Map<string, Handler>([
    [
      configurationPath,
      async (exchange) => {
        requireDocumentRequest(exchange, configurationType);
        lookAtKeys();
        configuration ??= Buffer.from(JSON.stringify(configurationOf(options)));
        respond(exchange, {
          code: 200,
          contentType: configurationType,
          body: configuration,
          headers: caching,
        });
      },
    ],
    [
      keySetPath,
      async (exchange) => {
        requireDocumentRequest(exchange, keySetType);
        lookAtKeys();
        keySet ??= Buffer.from(JSON.stringify({ keys: options.keys.map(describeKey) }));
        respond(exchange, { code: 200, contentType: keySetType, body: keySet, headers: caching });
      },
    ],
  ]);
}

function configurationOf({ issuer, keys, serverUrl, keySetUrl }: IssuerOptions): object {
  return {
    issuer,
    jwks_uri: keySetUrl ?? `${serverUrl()}${keySetPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
  };
}

/** A public key as RFC 7517 has it, members in release 1.20's order. */
function describeKey({ keyId: kid, algorithm: alg, publicKey }: TokenKey): object {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: 'jwk' });
  const parts = kty === 'RSA' ? { n, e } : { x, y };
  return { use: 'sig', kty, kid, ...(crv === undefined ? {} : { crv }), alg, ...parts };
}
