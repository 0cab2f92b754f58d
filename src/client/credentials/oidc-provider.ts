import { asJsonObject, asText, type Clock, errorText, isJsonObject } from '../../base/index.ts';
import {
  type AuthProviderEntry,
  ClientConfigError,
  editClientConfigFile,
  readClientConfigFile,
} from '../config/index.ts';
import { hostOf, TransportError } from '../rest/index.ts';
import type { Credentials, Refusal } from './credential-source.ts';
import { openProviderClient, refreshTokens } from './oidc-tokens.ts';

/** A provider, as a client configuration has it. */
export interface OidcProviderOptions {
  readonly entry: AuthProviderEntry;
  readonly clock: Clock;
  /** How long before its end an ID token is no longer used. */
  readonly leewayMs: number;
}

type Settings = AuthProviderEntry['config'];

/** Tokens that a server refused although they are new are not exchanged again before. */
const refusalPauseMs = 60_000;

/**
 * ID tokens of an OpenID Connect provider: the one of the configuration while it counts, then new ones for its refresh
 * token, which are written to the file that the old ones came from. Programs that share the file see what another one
 * has written there before they ask the provider, since many providers take a refresh token only once.
 *
 * Sources: OpenID Connect Core 1.0, section 12; client-go, `plugin/pkg/client/auth/oidc`.
 */
export class OidcProvider {
  readonly #options: OidcProviderOptions;
  #settings: Settings;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;

  /** @throws ClientConfigError for settings that name no provider or no client */
  constructor(options: OidcProviderOptions) {
    this.#options = options;
    this.#settings = options.entry.config;
    const { 'idp-issuer-url': issuer = '' } = this.#settings;
    if (issuer === '') throw new ClientConfigError('Must provide idp-issuer-url');
    if (!URL.canParse(issuer) || !/^https?:/i.test(issuer))
      throw new ClientConfigError(`idp-issuer-url ${JSON.stringify(issuer)} is no HTTP URL`);
    if (!this.#settings['client-id']) throw new ClientConfigError('Must provide client-id');
  }

  /** A token that counts, and another one than before after a refusal. @throws TransportError when there is none */
  async obtain(refusal: Refusal | undefined): Promise<Credentials> {
    try {
      const mustDiffer = refusal !== undefined && this.#mayRefreshRefused();
      return (mustDiffer ? undefined : this.#usable(this.#settings)) ?? (await this.#renew(mustDiffer));
    } catch (cause) {
      if (cause instanceof TransportError || cause instanceof ClientConfigError) throw cause;
      const host = hostOf(this.#settings['idp-issuer-url'] ?? '');
      throw new TransportError('protocol', errorText(cause), { host, cause });
    }
  }

  #mayRefreshRefused(): boolean {
    const isOld = this.#options.clock.nowMs() - this.#refreshedAtMs >= refusalPauseMs;
    return isOld && Boolean(this.#settings['refresh-token']);
  }

  async #renew(mustDiffer: boolean): Promise<Credentials> {
    const former = this.#settings['id-token'];
    const inFile = await this.#usableInFile();
    if (inFile !== undefined && !(mustDiffer && inFile.token === former)) return inFile;
    if (!this.#settings['refresh-token'])
      throw new Error('No valid id-token, and cannot refresh without refresh-token');
    this.#refreshedAtMs = this.#options.clock.nowMs();
    try {
      return await this.#refresh();
    } catch (error) {
      // Another program may have used the refresh token in between.
      const meanwhile = await this.#usableInFile();
      if (meanwhile === undefined || meanwhile.token === former) throw error;
      return meanwhile;
    }
  }

  async #refresh(): Promise<Credentials> {
    const settings = this.#settings;
    const client = await openProviderClient(settings);
    try {
      const { idToken, refreshToken } = await refreshTokens(client, settings);
      const next = {
        ...settings,
        'id-token': idToken,
        ...(refreshToken === undefined ? {} : { 'refresh-token': refreshToken }),
      };
      await this.#write(next);
      this.#settings = next;
      return { token: idToken, expiresAtMs: expiryOf(idToken) };
    } finally {
      client.close?.();
    }
  }

  /** @throws Error for a token that is none */
  #usable(settings: Settings): Credentials | undefined {
    const { clock, leewayMs } = this.#options;
    const token = settings['id-token'];
    if (!token) return undefined;
    const expiresAtMs = expiryOf(token);
    return clock.nowMs() < expiresAtMs - leewayMs ? { token, expiresAtMs } : undefined;
  }

  /** Takes over what the file says by now. */
  async #usableInFile(): Promise<Credentials | undefined> {
    const { user, file } = this.#options.entry;
    const entry = file === undefined ? undefined : (await readClientConfigFile(file))?.users.get(user);
    const config = asJsonObject(entry?.authProvider?.config);
    const tokens = {
      'id-token': asText(config['id-token']),
      'refresh-token': asText(config['refresh-token']),
    };
    // Somebody may have logged in again, or taken the entry out while this program goes on.
    if (entry?.authProvider !== undefined) this.#settings = { ...this.#settings, ...tokens };
    return this.#usable(this.#settings);
  }

  async #write(settings: Settings): Promise<void> {
    const { user, file, name } = this.#options.entry;
    if (file === undefined) return;
    const entry = (await readClientConfigFile(file))?.users.get(user);
    const config = { ...asJsonObject(entry?.authProvider?.config), ...settings };
    const fields = { 'auth-provider': { ...entry?.authProvider, name, config } };
    try {
      await editClientConfigFile(file, [{ kind: 'set', section: 'users', name: user, fields }]);
    } catch (cause) {
      throw new Error(`could not persist new tokens: ${errorText(cause)}`, { cause });
    }
  }
}

/** When an ID token expires. Its signature is the server's to check. @throws Error for what is no token */
function expiryOf(token: string): number {
  const parts = token.split('.');
  if (parts.length !== 3) throw new Error('ID Token is not a valid JWT');
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
  } catch (cause) {
    throw new Error('failed to decode the claims of the ID Token', { cause });
  }
  const seconds = isJsonObject(claims) ? claims.exp : undefined;
  if (typeof seconds !== 'number') throw new Error('the ID Token says nothing of its expiry');
  return seconds * 1000;
}
