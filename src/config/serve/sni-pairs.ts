/** A serving certificate for some names. */
export interface SniPair {
  readonly certificate: string;
  readonly privateKey: string;
  /** Names that it is shown for, also `*.example.org`; those of the certificate when there are none. */
  readonly names: readonly string[];
}

/**
 * Reads a value of `--tls-sni-cert-key`: `CERTIFICATE,KEY` or `CERTIFICATE,KEY:NAME,...`. What is wrong is a text, as
 * release 1.20 has it (component-base, `cli/flag.NamedCertKey`).
 */
function parseSniPair(value: string): SniPair | string {
  const colon = value.indexOf(':');
  const files = colon < 0 ? value : value.slice(0, colon);
  const names = colon < 0 ? undefined : value.slice(colon + 1).trim();
  if (names === '') return 'empty names list is not allowed';
  const [certificate, privateKey, ...rest] = listOf(files);
  if (certificate === undefined || privateKey === undefined || rest.length > 0)
    return 'expected comma separated certificate and key file paths';
  return { certificate, privateKey, names: names === undefined ? [] : listOf(names) };
}

/** The pairs that flags name, in their order. Values that are none were refused before. */
export function sniPairs(values: readonly string[]): SniPair[] {
  return values.map(parseSniPair).filter((pair) => typeof pair !== 'string');
}

/** What is wrong with a value of `--tls-sni-cert-key`. */
export function sniPairProblem(value: string): string | undefined {
  const pair = parseSniPair(value);
  return typeof pair === 'string' ? pair : undefined;
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
