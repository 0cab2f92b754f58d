import { createHash, X509Certificate } from 'node:crypto';
import { asJsonObject, asText, type Clock, errorText, type Logger } from '../base/index.ts';
import { readTokenKeys, type TokenKey } from '../server/authentication/index.ts';
import type { Storage } from '../storage/index.ts';
import type { CacheWatch, ResourceCache, WatchCache } from '../storage/watch-cache/index.ts';

/** Folder of what the servers of a store believe, below the root of all keys. No resource is stored there. */
export const trustFolder = 'servertrust/';

/** More servers than share a store; what is beyond is told of and not believed. */
const maxEntries = 100;
/** How long after the cache lost its watch it is asked again. */
const retryMs = 1000;
const entryNames = { authority: 'ca.crt', tokenKey: 'service-account.pub' } as const;

/** What a server publishes of itself. */
export interface PublishedTrust {
  /** PEM certificate of its own authority. */
  readonly authorityPem: string;
  /** PEM public key of the service account tokens that it signs; undefined where flags name the keys. */
  readonly tokenKeyPem: string | undefined;
}

/** Where the servers of a store meet. */
export interface SharedTrustOptions {
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly root: string;
  readonly own: PublishedTrust;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The authorities and public keys of all servers that share a store. Each has private keys of its own, which never leave
 * its machine, and publishes the public half here, so that the others take the certificates and tokens that it signs.
 * Whoever can write here can write roles and bindings as well, and gains nothing by it; no request of the API leads here.
 */
export class SharedTrust implements Disposable {
  readonly #options: SharedTrustOptions;
  readonly #cache: ResourceCache;
  readonly #listeners = new Set<() => void>();
  readonly #told = new Set<string>();
  #watch: CacheWatch | undefined;
  #cancelRetry: (() => void) | undefined;
  #authorities: readonly string[] = [];
  #tokenKeys: readonly TokenKey[] = [];

  private constructor(options: SharedTrustOptions) {
    this.#options = options;
    this.#cache = options.watchCache.resource(`${options.root}${trustFolder}`);
  }

  /** Publishes what is this server's own, and follows what the others publish. @throws StorageError */
  static async open(options: SharedTrustOptions): Promise<SharedTrust> {
    const trust = new SharedTrust(options);
    const { authorityPem, tokenKeyPem } = options.own;
    await trust.#publish('authority', authorityPem);
    if (tokenKeyPem !== undefined) await trust.#publish('tokenKey', tokenKeyPem);
    trust.#read();
    trust.#follow();
    return trust;
  }

  /** PEM certificates of the servers' authorities, this one's among them, in the same order at each. */
  get authorities(): readonly string[] {
    return this.#authorities;
  }

  /** Keys that verify tokens of service accounts, in the same order at each server. */
  get tokenKeys(): readonly TokenKey[] {
    return this.#tokenKeys;
  }

  /** Has a listener told when another server came, or was taken out; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    this.#watch?.close();
    this.#cancelRetry?.();
  }

  async #publish(kind: keyof typeof entryNames, pem: string): Promise<void> {
    const { storage, root } = this.#options;
    const name = `${kind.toLowerCase()}-${createHash('sha256').update(pem).digest('hex')}`;
    const key = `${root}${trustFolder}${name}`;
    if ((await storage.get(key)) !== undefined) return;
    // In the form of a config map, so that whoever comes across it knows what it is.
    const metadata = { name, resourceVersion: '', creationTimestamp: null };
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { [entryNames[kind]]: pem } };
    await storage.create(key, Buffer.from(JSON.stringify(object)));
  }

  #follow(): void {
    const { root } = this.#options;
    this.#watch = this.#cache.watch(
      { prefix: `${root}${trustFolder}`, afterRevision: 'state' },
      {
        onEvent: () => {
          if (this.#read()) for (const listener of this.#listeners) listener();
        },
        onError: () => {
          this.#watch = undefined;
          this.#cancelRetry = this.#options.clock.setTimer(retryMs, () => this.#follow());
        },
      },
    );
  }

  /** Takes over what is published now; true when that is something else than before. */
  #read(): boolean {
    const { root, own } = this.#options;
    const { objects } = this.#cache.list({ prefix: `${root}${trustFolder}` });
    const authorities: string[] = [];
    const tokenKeys: TokenKey[] = [];
    for (const [index, { key, bytes }] of objects.entries()) {
      try {
        if (index >= maxEntries) throw new RangeError(`there are more than ${maxEntries}`);
        const { data } = asJsonObject(JSON.parse(bytes.toString()));
        const entries = asJsonObject(data);
        const authority = asText(entries[entryNames.authority]);
        const tokenKey = asText(entries[entryNames.tokenKey]);
        if (authority !== '') authorities.push(checkAuthority(authority));
        if (tokenKey !== '')
          tokenKeys.push(...readTokenKeys([tokenKey], key).map((each) => this.#known(each)));
      } catch (error) {
        this.#tellOnce(key, error);
      }
    }
    // Its own counts, whatever became of the store.
    if (!authorities.includes(own.authorityPem)) authorities.push(own.authorityPem);
    const before = [...this.#authorities, ...this.#tokenKeys.map(({ keyId }) => keyId)].join('\n');
    const now = [...authorities, ...tokenKeys.map(({ keyId }) => keyId)].join('\n');
    if (now === before) return false;
    this.#authorities = authorities;
    this.#tokenKeys = tokenKeys;
    return true;
  }

  /** The same value for the same key, so that what it has verified goes on counting. */
  #known(found: TokenKey): TokenKey {
    return this.#tokenKeys.find(({ keyId }) => keyId === found.keyId) ?? found;
  }

  #tellOnce(key: string, error: unknown): void {
    if (this.#told.has(key) || this.#told.size >= maxEntries) return;
    this.#told.add(key);
    this.#options.logger.error('published key of a server unusable', { key, error: errorText(error) });
  }
}

/** @throws Error for what is no certificate, or none of an authority */
function checkAuthority(pem: string): string {
  if (!new X509Certificate(pem).ca) throw new Error('the certificate is not that of an authority');
  return pem;
}
