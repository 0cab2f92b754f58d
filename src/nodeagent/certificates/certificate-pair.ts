import { createPrivateKey, X509Certificate } from 'node:crypto';
import { pemBlocks } from './pem.ts';

/** A certificate with its chain, and its key, both PEM. */
export interface CertificatePair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** When a certificate counts, in milliseconds since the Unix epoch. */
export interface Validity {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** Certificates and key of one text that holds both. @throws Error when one of them is missing */
export function splitPair(text: string): CertificatePair {
  const blocks = pemBlocks(text);
  const pick = (isDesired: (label: string) => boolean): string =>
    blocks
      .filter(({ label }) => isDesired(label))
      .map((block) => block.text)
      .join('');
  const pair = {
    certificatePem: pick((label) => label === 'CERTIFICATE'),
    privateKeyPem: pick((label) => label.endsWith('PRIVATE KEY')),
  };
  if (pair.certificatePem === '') throw new Error('there is no certificate');
  if (pair.privateKeyPem === '') throw new Error('there is no private key');
  return pair;
}

/** Certificate, chain and key in one text, as release 1.20 keeps them. */
export function joinPair({ certificatePem, privateKeyPem }: CertificatePair): string {
  return [certificatePem, privateKeyPem].map((pem) => pem.replace(/\n*$/, '\n')).join('');
}

/** The first certificate of the chain. @throws Error when it cannot be read, or the key is not its own */
export function checkPair({ certificatePem, privateKeyPem }: CertificatePair): X509Certificate {
  const certificate = new X509Certificate(certificatePem);
  if (certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) return certificate;
  throw new Error('the private key is not that of the certificate');
}

/** @throws Error when the certificate cannot be read */
export function validityOf(certificatePem: string): Validity {
  const { validFromDate, validToDate } = new X509Certificate(certificatePem);
  return { notBeforeMs: validFromDate.getTime(), notAfterMs: validToDate.getTime() };
}

/** Whether a pair can be read, belongs together and has not expired. Clocks may differ: its beginning does not count. */
export function isUsable(pair: CertificatePair, nowMs: number): boolean {
  try {
    checkPair(pair);
    return nowMs < validityOf(pair.certificatePem).notAfterMs;
  } catch {
    return false; // what cannot be read cannot be used
  }
}

/**
 * When another certificate is asked for: after 70 to 90 % of the life, at a moment that chance chooses for each agent
 * (release 1.20's rule).
 */
export function renewalTimeMs({ notBeforeMs, notAfterMs }: Validity, random: () => number): number {
  return notBeforeMs + (notAfterMs - notBeforeMs) * (0.7 + 0.2 * random());
}
