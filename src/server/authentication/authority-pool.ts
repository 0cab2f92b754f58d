import { X509Certificate } from 'node:crypto';
import { isTrusted, type PeerCertificate } from '../../net/http/index.ts';

/** What a pool knows of a client's certificate: when it and those that signed it are valid, in ms since the epoch. */
type Signers = readonly { readonly fromMs: number; readonly toMs: number }[];

/**
 * Authorities of one purpose, each believed by itself, whoever signed it. TLS checks clients against those of all
 * purposes together, so which of them signed a certificate is found out here. The runtime does not show what clients
 * send between a certificate and a root: a certificate counts when one of the pool's own signed it.
 */
export class AuthorityPool {
  #pems: readonly string[] = [];
  #authorities: readonly X509Certificate[] = [];
  #known = new WeakMap<PeerCertificate, Signers>();
  readonly #isOnly: boolean;
  /** Certificates that were shown when others were believed. */
  readonly #seen = new WeakMap<PeerCertificate, readonly string[]>();

  /**
   * `isOnly`: TLS checks clients against no others, so that its word counts, whatever came between a certificate and a
   * root; but for what it said before authorities were replaced.
   *
   * @throws Error for a text that is no PEM certificate.
   */
  constructor(pems: readonly string[], options: { readonly isOnly?: boolean } = {}) {
    this.#isOnly = options.isOnly ?? false;
    this.replace(pems);
  }

  /** One PEM certificate each. */
  get pems(): readonly string[] {
    return this.#pems;
  }

  /** Believes others from now on, also for certificates that were shown before. @throws Error as the constructor. */
  replace(pems: readonly string[]): void {
    const authorities = pems.map((pem) => new X509Certificate(pem));
    this.#authorities = authorities;
    this.#pems = pems;
    this.#known = new WeakMap();
  }

  /** Whether an authority of the pool signed the certificate, and both are valid at this moment. */
  trusts(certificate: PeerCertificate, nowMs: number): boolean {
    if (!certificate.isSigned) return false;
    if (this.#isOnly && this.#isSeenNow(certificate) && isTrusted(certificate, nowMs)) return true;
    let signers = this.#known.get(certificate);
    if (signers === undefined) {
      const parsed = parseCertificate(certificate.der);
      signers = parsed === undefined ? [] : this.#signersOf(parsed);
      this.#known.set(certificate, signers);
    }
    return signers.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs <= toMs);
  }

  /** Whether the same authorities were believed when the certificate was first seen. */
  #isSeenNow(certificate: PeerCertificate): boolean {
    const pems = this.#seen.get(certificate);
    if (pems === undefined) this.#seen.set(certificate, this.#pems);
    return pems === undefined || pems === this.#pems;
  }

  #signersOf(certificate: X509Certificate): Signers {
    return this.#authorities
      .filter((authority) => isSignedBy(certificate, authority))
      .map(({ validFromDate, validToDate }) => ({
        fromMs: Math.max(validFromDate.getTime(), certificate.validFromDate.getTime()),
        toMs: Math.min(validToDate.getTime(), certificate.validToDate.getTime()),
      }));
  }
}

/** Undefined for what TLS takes and this runtime cannot read. */
function parseCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined; // it proves nothing
  }
}

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
