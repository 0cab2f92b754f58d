import type { RegistryCredentials } from '../runtime/index.ts';
import type { LegacyConfigEntries } from './registry-config.ts';
import { matchesRegistry, parseRegistryPattern, type RegistryPattern } from './registry-pattern.ts';

/** Key that credentials of the default registry are kept under. */
const defaultRegistryHost = 'index.docker.io';

interface Entry {
  readonly key: string;
  readonly pattern: RegistryPattern;
  readonly credentials: RegistryCredentials[];
}

/** Credentials by registry, with host patterns and paths, as of release 1.20's keyring. */
export class Keyring {
  readonly #entries = new Map<string, Entry>();

  /** Adds the entries of one file or secret; those whose registry cannot be read are left out. */
  add(entries: LegacyConfigEntries): void {
    for (const [location, { username, password }] of entries) {
      const pattern = parseRegistryPattern(location);
      if (pattern === undefined) continue;
      const key = pattern.key;
      const entry = this.#entries.get(key) ?? { key, pattern, credentials: [] };
      entry.credentials.push({ username, password });
      this.#entries.set(key, entry);
    }
  }

  /**
   * Credentials for a repository, in reverse alphabetical order of their registries and paths, so that a longer path
   * comes before a shorter one; those of the default registry for its images when nothing else matches.
   */
  find(repository: string): readonly RegistryCredentials[] {
    const target = parseRegistryPattern(repository);
    if (target === undefined) return [];
    const found = [...this.#entries.values()]
      .filter(({ pattern }) => matchesRegistry(pattern, target))
      .sort((a, b) => (a.key < b.key ? 1 : -1))
      .flatMap(({ credentials }) => credentials);
    if (found.length > 0 || !isDefaultRegistry(repository)) return found;
    return this.#entries.get(defaultRegistryHost)?.credentials ?? [];
  }
}

function isDefaultRegistry(repository: string): boolean {
  const [first = '', ...rest] = repository.split('/');
  if (first === '') return false;
  return rest.length === 0 || first === 'docker.io' || first === defaultRegistryHost || !/[.:]/.test(first);
}
