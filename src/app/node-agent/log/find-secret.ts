/** A secret that was found, and where: names of fields with dots between them. */
export interface FoundSecret {
  readonly key: string;
  readonly types: readonly SecretType[];
}

/** What is larger or deeper is not searched to its end, and counts as secret. */
const most = { values: 20_000, levels: 32, textLength: 64 * 1024 } as const;

interface Place {
  readonly path: string;
  /** Of the field that the value stands in, or of the list that it is in. */
  readonly name: string;
  readonly level: number;
}

/**
 * Searches a value that is about to be logged, with all that is in it. Secrets are what stands in fields that are named
 * so, in objects of kind `Secret`, and in text that has their form. Undefined: none was found.
 */
export function findSecret(value: unknown, key: string): FoundSecret | undefined {
  const seen = new Set<object>();
  let left: number = most.values;

  const visit = (each: unknown, place: Place): FoundSecret | undefined => {
    left -= 1;
    if (left < 0 || place.level > most.levels) return { key: place.path, types: anySecret };
    if (typeof each === 'object' && each !== null) return visitObject(each, place);
    const types = secretTypesOf(each, place.name);
    return types && { key: place.path, types };
  };

  const visitObject = (object: object, place: Place): FoundSecret | undefined => {
    if (object instanceof Uint8Array) return visit(textOf(object), place);
    if (seen.has(object)) return undefined;
    seen.add(object);
    if (isSecret(object)) return { key: place.path, types: anySecret };
    for (const [name, part] of partsOf(object)) {
      const isListed = name === undefined;
      const isNameSecret = !isListed && secretTypesOfText(name) !== undefined;
      if (isNameSecret) return { key: place.path, types: anySecret };
      const path = isListed ? place.path : `${place.path}.${name}`.replace(/^\./, '');
      const found = visit(part, { path, name: isListed ? place.name : name, level: place.level + 1 });
      if (found !== undefined) return found;
    }
    return undefined;
  };

  try {
    return visit(value, { path: key, name: key, level: 0 });
  } catch {
    return { key, types: anySecret }; // what cannot be read cannot be cleared
  }
}

function secretTypesOf(value: unknown, name: string): readonly SecretType[] | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return secretTypesOfName(name);
  if (typeof value !== 'string' || value === '') return undefined;
  if (value.length > most.textLength) return anySecret;
  return secretTypesOfName(name) ?? secretTypesOfText(value);
}

/** No more of it than is found to be too much. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, most.textLength + 1)).toString('latin1');
}

/** Secrets of a list do not say their kind, but their type. */
function isSecret(object: { readonly kind?: unknown; readonly type?: unknown }): boolean {
  if (object.kind === 'Secret') return true;
  const hasData = 'data' in object || 'stringData' in object;
  return hasData && typeof object.type === 'string' && 'metadata' in object;
}

type Part = readonly [name: string | undefined, value: unknown];

/** What a logger may write of an object: its fields, those of an error, and what it becomes as JSON. */
function* partsOf(object: object): Generator<Part> {
  if (object instanceof Map) {
    for (const [name, value] of object) yield [String(name), value];
    return;
  }
  if (Array.isArray(object) || object instanceof Set) {
    for (const value of object) yield [undefined, value];
    return;
  }
  if (object instanceof Error) {
    const { message, stack, cause } = object;
    yield* Object.entries({ message, stack, cause });
    if (object instanceof AggregateError) yield ['errors', object.errors];
  }
  if ('toJSON' in object && typeof object.toJSON === 'function') yield [undefined, object.toJSON()];
  yield* Object.entries(object);
  if ('name' in object && typeof object.name === 'string' && 'value' in object) {
    yield [object.name, object.value]; // variables and headers
  }
}

/** Kinds of secrets, by release 1.20's names. */
type SecretType = 'password' | 'security-key' | 'token';

/** What a secret of no certain kind may be. */
const anySecret: readonly SecretType[] = ['password', 'security-key', 'token'];

type SecretPattern = readonly [pattern: RegExp, types: readonly SecretType[]];

/** Names of fields without their punctuation: what stands in them as text, numbers or bytes is a secret. */
const names: readonly SecretPattern[] = [
  [/(?:password|passwd|passphrase|credential)s?$|^stringdata$/i, ['password']],
  [/authorizations?$|^auth$/i, ['password', 'token']],
  [/(?:token|cookie|apikey|bearer)s?$/i, ['token']],
  [/(?:privatekey|keydata|keypem|secretkey|accesskey|signingkey)s?$/i, ['security-key']],
  [/(?:^|client)secrets?$/i, anySecret],
];

/** Secrets within text: keys and tokens by their form, then what stands in headers, addresses, assignments, JSON, YAML. */
const texts: readonly SecretPattern[] = [
  [/-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----/, ['security-key']],
  [/[\w-]{10}\.eyJ[\w-]{10}/, ['token']],
  [/\b(?:bearer|basic) (?=[^\s\d=]{0,64}[\d=])[\w.~+/-]{8}/i, ['token']],
  [/:\/\/[^\s/:@]{0,128}:[^\s/@]{1,256}@/, ['password']],
  [/\\?"kind\\?" ?: ?\\?"Secret\\?"|^[ -]{0,40}kind: ["']?Secret["']?\s*$/m, anySecret],
  [
    /(?:password|passwd|passphrase|token|cookie|authorization|(?:api|secret|private|access|signing)[_-]?key|client[_-]?secret|key-data)(?:\\?"\s{0,4}:\s{0,4}\\?"[^"\\]|=["']?[^\s"'&,;])/i,
    anySecret,
  ],
  [
    /^[ \t]{0,40}(?:- )?["']?(?:\w[\w-]{0,40})?(?:password|passwd|passphrase|token|authorization|key-data|(?:secret|access)[_-]?key)["']?:[ \t]{1,8}["']?[^\s"']/im,
    anySecret,
  ],
];

/** What a field of this name holds; undefined for nothing secret. */
function secretTypesOfName(name: string): readonly SecretType[] | undefined {
  return match(names, name.replaceAll(/[^a-z\d]/gi, ''));
}

/** What text holds; undefined for nothing that looks secret. */
function secretTypesOfText(text: string): readonly SecretType[] | undefined {
  return match(texts, text);
}

function match(patterns: readonly SecretPattern[], text: string): readonly SecretType[] | undefined {
  return patterns.find(([pattern]) => pattern.test(text))?.[1];
}
