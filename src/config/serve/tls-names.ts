import suites from './tls-cipher-suites.json' with { type: 'json' };

const versions = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
} as const;

/** TLS versions as flags name them, oldest first. */
export const tlsVersionNames: readonly string[] = Object.keys(versions);

/** Cipher suites as flags name them (IANA names). */
export const cipherSuiteNames: readonly string[] = Object.keys(suites);

/** The runtime's name of a TLS version. @throws RangeError for a name that is not in `tlsVersionNames` */
export function runtimeTlsVersion(name: string): (typeof versions)[keyof typeof versions] {
  const found = Object.entries(versions).find(([version]) => version === name);
  if (found === undefined)
    throw new RangeError(`TLS version: ${JSON.stringify(name)}, expected one of the known names`);
  return found[1];
}

/** OpenSSL's cipher list for suites in their IANA names; unknown names are left out. */
export function opensslCipherList(names: readonly string[]): string {
  const byName = new Map(Object.entries(suites));
  return names.flatMap((name) => byName.get(name) ?? []).join(':');
}
