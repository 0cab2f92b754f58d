/** Kinds of secrets, by release 1.20's names. */
export type SecretType = 'password' | 'security-key' | 'token';

/** What a secret of no certain kind may be. */
export const anySecret: readonly SecretType[] = ['password', 'security-key', 'token'];

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
export function secretTypesOfName(name: string): readonly SecretType[] | undefined {
  return match(names, name.replaceAll(/[^a-z\d]/gi, ''));
}

/** What text holds; undefined for nothing that looks secret. */
export function secretTypesOfText(text: string): readonly SecretType[] | undefined {
  return match(texts, text);
}

function match(patterns: readonly SecretPattern[], text: string): readonly SecretType[] | undefined {
  return patterns.find(([pattern]) => pattern.test(text))?.[1];
}
