import { join } from 'node:path';
import { asJsonObject, type Clock, type Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { RegistryCredentials } from '../runtime/index.ts';
import { type CredentialProvider, durationMs } from './credential-provider-config.ts';
import type { CredentialSource } from './credential-source.ts';
import { Keyring } from './keyring.ts';
import type { LegacyConfigEntries } from './registry-config.ts';
import { matchesRegistry, parseRegistryPattern } from './registry-pattern.ts';
import { type CredentialProgram, runCredentialProvider } from './run-credential-provider.ts';

/** The configured credential provider plugins, and how they are run. */
export interface CredentialProvidersOptions {
  readonly providers: readonly CredentialProvider[];
  /** Absolute folder of their programs. */
  readonly binDirectory: string;
  /** Environment of the programs; variables of their configuration override it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs a program and gives its output; a process of the machine when left out. */
  readonly run?: (program: CredentialProgram) => Promise<string>;
}

/** Credentials from provider plugins, cached for as long and as widely as each answer says. */
export function createCredentialProviders(options: CredentialProvidersOptions): readonly CredentialSource[] {
  return options.providers.map((provider) => new ProviderSource(provider, options));
}

interface Answer {
  readonly keyring: Keyring;
  /** Images for which the answer is reused, and until when; undefined when it is used once. */
  readonly cached: { readonly key: string; readonly forMs: number } | undefined;
}

/** More answers than that are not remembered. */
const maxCached = 1000;
const globalKey = '*';

class ProviderSource implements CredentialSource {
  readonly #provider: CredentialProvider;
  readonly #options: CredentialProvidersOptions;
  /** By image, registry or `*`. */
  readonly #cache = new Map<string, { readonly keyring: Keyring; readonly untilMs: number }>();
  /** Questions under way, by image. */
  readonly #asking = new Map<string, Promise<Keyring>>();

  constructor(provider: CredentialProvider, options: CredentialProvidersOptions) {
    this.#provider = provider;
    this.#options = options;
  }

  async find(repository: string): Promise<readonly RegistryCredentials[]> {
    if (!isMeant(this.#provider, repository)) return [];
    const keyring = this.#remembered(repository) ?? (await this.#askOnce(repository));
    return keyring.find(repository);
  }

  #remembered(repository: string): Keyring | undefined {
    const nowMs = this.#options.clock.nowMs();
    for (const key of [repository, registryOf(repository), globalKey]) {
      const cached = this.#cache.get(key);
      if (cached !== undefined && nowMs < cached.untilMs) return cached.keyring;
    }
    return undefined;
  }

  /** Concurrent requests for the same image share one answer. */
  #askOnce(repository: string): Promise<Keyring> {
    const before = this.#asking.get(repository);
    if (before !== undefined) return before;
    const asking = this.#ask(repository).finally(() => this.#asking.delete(repository));
    this.#asking.set(repository, asking);
    return asking;
  }

  async #ask(repository: string): Promise<Keyring> {
    const { name, parameters, environment } = this.#provider;
    const { binDirectory, environment: own, dialect, logger, run = runCredentialProvider } = this.#options;
    const apiVersion = dialect.spell('credentialprovider.nodeagent.orch.io/v1alpha1');
    const input = JSON.stringify({ kind: 'CredentialProviderRequest', apiVersion, image: repository });
    try {
      const path = join(binDirectory, name);
      const output = await run({ path, parameters, environment: { ...own, ...environment }, input });
      const { keyring, cached } = this.#read(output, apiVersion, repository);
      if (cached !== undefined) this.#remember(cached.key, keyring, cached.forMs);
      return keyring;
    } catch (error) {
      // Messages of the parser could quote credentials.
      const detail = error instanceof SyntaxError ? 'its answer is not JSON' : error;
      logger.error('credential provider failed', { provider: name, error: detail });
      return new Keyring();
    }
  }

  #read(output: string, apiVersion: string, repository: string): Answer {
    const response = asJsonObject(JSON.parse(output));
    if (response.kind !== 'CredentialProviderResponse' || response.apiVersion !== apiVersion) {
      throw new TypeError(`answer of the wrong kind: expected CredentialProviderResponse of ${apiVersion}`);
    }
    const keyring = new Keyring();
    keyring.add(readLogins(response.auth));
    const { cacheDuration, cacheKeyType } = response;
    const forMs =
      cacheDuration === undefined || cacheDuration === null
        ? this.#provider.defaultCacheMs
        : durationMs(cacheDuration);
    const key = cacheKey(cacheKeyType, repository);
    return { keyring, cached: forMs > 0 ? { key, forMs } : undefined };
  }

  #remember(key: string, keyring: Keyring, forMs: number): void {
    const nowMs = this.#options.clock.nowMs();
    for (const [each, { untilMs }] of this.#cache) if (untilMs <= nowMs) this.#cache.delete(each);
    if (this.#cache.size < maxCached) this.#cache.set(key, { keyring, untilMs: nowMs + forMs });
  }
}

function isMeant({ matchImages }: CredentialProvider, repository: string): boolean {
  const target = parseRegistryPattern(repository);
  return matchImages.some((image) => {
    const pattern = parseRegistryPattern(image);
    return pattern !== undefined && target !== undefined && matchesRegistry(pattern, target);
  });
}

/** @throws TypeError for a kind that there is not */
function cacheKey(kind: unknown, repository: string): string {
  if (kind === 'Image') return repository;
  if (kind === 'Registry') return registryOf(repository);
  if (kind === 'Global') return globalKey;
  throw new TypeError('credential provider: cacheKeyType must be Image, Registry or Global');
}

const registryOf = (repository: string): string => repository.split('/', 1)[0] ?? '';

function readLogins(auth: unknown): LegacyConfigEntries {
  return new Map(
    Object.entries(asJsonObject(auth)).map(([registry, value]) => {
      const { username, password } = asJsonObject(value);
      return [registry, { username: String(username ?? ''), password: String(password ?? '') }];
    }),
  );
}
