import { sealPrefix } from '../sealed-value.ts';
import type { ValueCipher } from './ciphers.ts';

/** One provider of a configuration: plain values, or keys of one kind, of which the first seals. */
export type EncryptionProvider =
  | { readonly kind: 'identity' }
  | {
      readonly kind: 'aescbc' | 'aesgcm' | 'secretbox' | 'kms';
      /** At least one. */
      readonly ciphers: readonly ValueCipher[];
    };

/** A value that was opened. */
export interface OpenedValue {
  readonly plain: Buffer;
  /** Whether a write of the same object would seal it otherwise. */
  readonly isStale: boolean;
}

/** In the words of release 1.20; the name of the key that is missing is ours. */
const missingKey: ReadonlyMap<string, string> = new Map([
  ['aescbc', 'no matching key was found for the provided AES transformer'],
  ['aesgcm', 'no matching key was found for the provided AES transformer'],
  ['secretbox', 'no matching key was found for the provided Secretbox transformer'],
]);

interface PrefixedCipher {
  readonly prefix: Buffer;
  readonly cipher: ValueCipher;
}

/** The providers of one resource, in order: the first seals, all open. */
export class ProviderChain {
  readonly #first: PrefixedCipher | undefined;
  readonly #ciphers: readonly PrefixedCipher[];
  readonly #kinds: ReadonlySet<string>;
  readonly #allowsPlain: boolean;

  constructor(providers: readonly EncryptionProvider[]) {
    this.#ciphers = providers.flatMap((provider) =>
      provider.kind === 'identity'
        ? []
        : provider.ciphers.map((cipher) => ({ prefix: prefixOf(provider.kind, cipher.keyName), cipher })),
    );
    this.#first = providers[0]?.kind === 'identity' ? undefined : this.#ciphers[0];
    this.#kinds = new Set(providers.map(({ kind }) => kind));
    this.#allowsPlain = this.#kinds.has('identity');
  }

  /** Undefined where values are stored as they are. */
  seal(plain: Buffer, path: string): Buffer | Promise<Buffer> | undefined {
    if (this.#first === undefined) return undefined;
    const { prefix, cipher } = this.#first;
    const sealed = cipher.seal(plain, path);
    if (sealed instanceof Promise) return sealed.then((bytes) => Buffer.concat([prefix, bytes]));
    return Buffer.concat([prefix, sealed]);
  }

  /** @throws Error that names the key which is missing or does not fit. */
  open(sealed: Buffer, path: string): OpenedValue | Promise<OpenedValue> {
    const fitting = this.#ciphers.filter(({ prefix }) => startsWith(sealed, prefix));
    return this.#tryOpen(fitting, sealed, path);
  }

  /** What is wrong with a value that is stored as it is; undefined when that is allowed. */
  get plainProblem(): string | undefined {
    return this.#allowsPlain ? undefined : 'no matching prefix found: it is not encrypted';
  }

  /** Whether a value that is stored as it is shall be sealed. */
  get sealsPlain(): boolean {
    return this.#first !== undefined;
  }

  /** Keys of one name may differ: each is tried. */
  #tryOpen(
    fitting: readonly PrefixedCipher[],
    sealed: Buffer,
    path: string,
  ): OpenedValue | Promise<OpenedValue> {
    const [next, ...others] = fitting;
    if (next === undefined) throw new Error(this.#describeMissing(sealed));
    const { prefix, cipher } = next;
    const shown = (plain: Buffer): OpenedValue => ({ plain, isStale: next !== this.#first });
    const goOn = (error: unknown): OpenedValue | Promise<OpenedValue> => {
      if (others.length === 0) throw error;
      return this.#tryOpen(others, sealed, path);
    };
    try {
      const plain = cipher.open(sealed.subarray(prefix.length), path);
      return plain instanceof Promise ? plain.then(shown, goOn) : shown(plain);
    } catch (error) {
      return goOn(error);
    }
  }

  #describeMissing(sealed: Buffer): string {
    const { kind, keyName } = readPrefix(sealed);
    const key = `${kind} key ${JSON.stringify(keyName)}`;
    const missing = missingKey.get(kind);
    if (missing !== undefined && this.#kinds.has(kind)) return `${missing}: ${key}`;
    if (this.#ciphers.length > 0) return `no matching prefix found: ${key}`;
    return `identity transformer tried to read encrypted data: ${key}`;
  }
}

const prefixOf = (kind: string, keyName: string): Buffer =>
  Buffer.concat([sealPrefix, Buffer.from(`${kind}:v1:${keyName}:`)]);

const startsWith = (bytes: Buffer, prefix: Buffer): boolean =>
  bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;

const maxShownPrefix = 300;

/** What a sealed value says of itself; nothing of its contents. */
function readPrefix(sealed: Buffer): { readonly kind: string; readonly keyName: string } {
  const text = sealed.toString('latin1', sealPrefix.length, maxShownPrefix);
  const [, kind = '?', keyName = '?'] = /^([a-z]+):v1:([\w.-]+):/.exec(text) ?? [];
  return { kind, keyName };
}
