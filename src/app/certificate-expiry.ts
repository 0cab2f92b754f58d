import { X509Certificate } from 'node:crypto';
import type { Clock, Logger } from '../base/index.ts';

const dayMs = 86_400_000;
/** So long before its end a certificate is told of. */
const tellBeforeMs = 30 * dayMs;

/** A certificate that a server depends on. */
export interface NamedCertificate {
  /** What it is for, as log lines have it. */
  readonly name: string;
  readonly pem: string;
}

/** A certificate that has expired or will do so soon. */
export interface ExpiringCertificate {
  readonly name: string;
  readonly subject: string;
  readonly expiresAt: string;
  /** Whole days that are left; negative afterwards. */
  readonly daysLeft: number;
  readonly isExpired: boolean;
}

/**
 * Of the certificates those that expire within 30 days or have expired. One that is made for less than three months is
 * told of when a third of its time is left, so that whoever renews it in time hears nothing.
 */
export function expiringCertificates(
  certificates: readonly NamedCertificate[],
  nowMs: number,
): ExpiringCertificate[] {
  return certificates.flatMap(({ name, pem }) => {
    const { subject, validFromDate, validToDate } = new X509Certificate(pem);
    const leftMs = validToDate.getTime() - nowMs;
    const lifetimeMs = validToDate.getTime() - validFromDate.getTime();
    if (leftMs > Math.min(tellBeforeMs, lifetimeMs / 3)) return [];
    return [
      {
        name,
        subject: subject.replaceAll('\n', ', '),
        expiresAt: validToDate.toISOString(),
        daysLeft: Math.floor(leftMs / dayMs),
        isExpired: leftMs < 0,
      },
    ];
  });
}

/** What `watchExpiry` looks at, and whom it tells. */
export interface WatchExpiryOptions {
  /** The certificates as they are now. */
  readonly certificates: () => readonly NamedCertificate[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Logs certificates that expire soon or have expired: at once, and every day until the returned function is called. */
export function watchExpiry({ certificates, clock, logger }: WatchExpiryOptions): () => void {
  let cancel = () => {};
  const tell = (): void => {
    for (const { name, isExpired, ...fields } of expiringCertificates(certificates(), clock.nowMs())) {
      logger.error(isExpired ? 'certificate has expired' : 'certificate expires soon', {
        certificate: name,
        ...fields,
      });
    }
    cancel = clock.setTimer(dayMs, tell);
  };
  tell();
  return () => cancel();
}
