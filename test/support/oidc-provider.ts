import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { type ReceivedCall, WebhookServer } from './webhook-server.ts';

/** What the provider does otherwise than usual. */
export interface ProviderManner {
  /** Seconds until ID tokens expire. Default 3600. */
  lifetimeSeconds: number;
  /** Whether each refresh token counts once, and another one is given with each ID token. */
  rotates: boolean;
  /** How clients authenticate; undefined: the provider does not say. */
  methods: readonly string[] | undefined;
  /** Answer of the token endpoint in place of tokens. */
  refusal: { readonly status: number; readonly body: string } | undefined;
}

/** An OpenID Connect provider with one client (`orch`, secret `s3cret`) and one user (`bob`), over HTTPS on loopback. */
export class OidcProviderServer implements AsyncDisposable {
  readonly manner: ProviderManner = {
    lifetimeSeconds: 3600,
    rotates: false,
    methods: undefined,
    refusal: undefined,
  };
  /** The refresh token that counts now. */
  refreshToken = 'refresh-1';
  readonly #server: WebhookServer;
  readonly #privateKey: KeyObject;
  readonly #jwk: object;
  #refreshes = 0;

  private constructor(server: WebhookServer, privateKey: KeyObject, jwk: object) {
    this.#server = server;
    this.#privateKey = privateKey;
    this.#jwk = jwk;
  }

  static async start(): Promise<OidcProviderServer> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...(await exportJWK(createPublicKey(privateKey))), kid: '1', use: 'sig' };
    const server = await WebhookServer.start(() => {});
    const provider = new OidcProviderServer(server, privateKey, jwk);
    server.answer = (call, response) => {
      provider.#answer(call).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      }, response.destroy.bind(response));
    };
    return provider;
  }

  get issuer(): string {
    return this.#server.url;
  }

  /** PEM of its authority, in base64. */
  get caData(): string {
    return this.#server.caBundle;
  }

  /** Calls of the token endpoint. */
  get refreshes(): readonly ReceivedCall[] {
    return this.#server.calls.filter(({ url }) => url === '/token');
  }

  /** An ID token of the user; `seconds` may be negative. */
  sign(seconds = this.manner.lifetimeSeconds, claims: object = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: this.issuer, aud: 'orch', sub: 'bob', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(this.#privateKey);
  }

  /** `auth-provider.config` of a client configuration. */
  settings(idToken: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      'idp-issuer-url': this.issuer,
      'idp-certificate-authority-data': this.caData,
      'client-id': 'orch',
      'client-secret': 's3cret',
      'id-token': idToken,
      'refresh-token': this.refreshToken,
      ...more,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  async #answer(call: ReceivedCall): Promise<{ readonly status: number; readonly body: string }> {
    const { issuer } = this;
    const { methods } = this.manner;
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': {
        issuer,
        jwks_uri: `${issuer}/keys`,
        token_endpoint: `${issuer}/token`,
        ...(methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods }),
      },
      '/keys': { keys: [this.#jwk] },
    };
    const document = documents[call.url];
    if (document !== undefined) return { status: 200, body: JSON.stringify(document) };
    return call.url === '/token' ? this.#exchange(call) : { status: 404, body: '{}' };
  }

  async #exchange({ method, headers, body }: ReceivedCall) {
    const { refusal, rotates } = this.manner;
    if (refusal !== undefined) return refusal;
    const form = new URLSearchParams(body);
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded' && method === 'POST';
    const isBasic = headers.authorization === `Basic ${Buffer.from('orch:s3cret').toString('base64')}`;
    const isPosted = form.get('client_id') === 'orch' && form.get('client_secret') === 's3cret';
    const { methods = ['client_secret_basic'] } = this.manner;
    const isKnown =
      (methods.includes('client_secret_basic') && isBasic) ||
      (methods.includes('client_secret_post') && isPosted) ||
      (methods.includes('none') && form.get('client_id') === 'orch');
    if (!isForm || !isKnown) return { status: 401, body: '{"error":"invalid_client"}' };
    if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token') !== this.refreshToken)
      return { status: 400, body: '{"error":"invalid_grant","error_description":"it was used"}' };
    this.#refreshes++;
    if (rotates) this.refreshToken = `refresh-${this.#refreshes + 1}`;
    // Tokens of one second would be the same text without this.
    const idToken = await this.sign(this.manner.lifetimeSeconds, { jti: String(this.#refreshes) });
    const given = rotates ? { refresh_token: this.refreshToken } : {};
    return {
      status: 200,
      body: JSON.stringify({ token_type: 'Bearer', access_token: 'a', id_token: idToken, ...given }),
    };
  }
}
