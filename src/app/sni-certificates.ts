import { type SniPair, sniPairs } from '../config/serve/index.ts';
import { certificateNames, type KeyPair, readKeyPair } from '../server/pki/index.ts';

/**
 * Reads the certificates of `--tls-sni-cert-key`, by the names that they are shown for: names that flags give count more
 * than those of certificates, and the first certificate of a name is it.
 *
 * @throws PkiError for a file that cannot be used.
 */
export async function readSniCertificates(values: readonly string[]): Promise<Map<string, KeyPair>> {
  const pairs = sniPairs(values);
  const read = await Promise.all(
    pairs.map(async (pair): Promise<[SniPair, KeyPair]> => [pair, await readKeyPair(pair)]),
  );
  const byName = new Map<string, KeyPair>();
  const add = (names: readonly string[], pair: KeyPair) => {
    for (const name of names) if (!byName.has(name)) byName.set(name, pair);
  };
  for (const [{ names }, pair] of read) add(names, pair);
  for (const [{ names }, pair] of read)
    if (names.length === 0) add(certificateNames(pair.certificatePem), pair);
  return byName;
}

/** Whether both hold the same certificates for the same names. */
export function areSameCertificates(
  left: ReadonlyMap<string, KeyPair>,
  right: ReadonlyMap<string, KeyPair>,
): boolean {
  return (
    left.size === right.size &&
    [...left].every(([name, pair]) => right.get(name)?.certificatePem === pair.certificatePem)
  );
}
