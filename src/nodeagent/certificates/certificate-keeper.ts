import { generateKeyPair, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import { createBackoff } from '../../client/list-watch/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type CertificatePair, checkPair, renewalTimeMs, validityOf } from './certificate-pair.ts';
import type { CertificateStore } from './certificate-store.ts';
import { type CertificatePurpose, requestCertificate } from './request-certificate.ts';
import { type CertificateSubject, makeSigningRequest } from './signing-request.ts';

/** Who is told how renewals go. */
export interface RenewalCounts {
  /** A certificate was replaced that has counted for so long. */
  replaced(ageMs: number): void;
  failed(): void;
}

/** Which certificate is kept valid, where it is stored and who signs the next one. */
export interface CertificateKeeperOptions {
  readonly store: CertificateStore;
  /** What there is at the beginning. */
  readonly initial: CertificatePair | undefined;
  /** Whether `initial` is to be replaced at once, however long it counts. */
  readonly renewsAtOnce?: boolean;
  /** Whom the certificate is to be for at the moment; undefined while that is not known. */
  readonly subject: () => CertificateSubject | undefined;
  readonly purpose: CertificatePurpose;
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
  readonly counts: RenewalCounts;
}

/** A certificate that is kept valid. */
export interface CertificateKeeper extends AsyncDisposable {
  current(): CertificatePair | undefined;
  /** Calls `listener` when there is another one; the returned function ends that. */
  onChange(listener: () => void): () => void;
}

/** How long approval and signature may take before another request is made (release 1.20's bound). */
const approvalTimeoutMs = 900_000;
/** How often time and addresses are looked at; a machine may have slept. */
const recheckMs = 10_000;
const subjectPauseMs = 1000;
const failureBackoff = { firstMs: 2000, maxMs: 64_000, jitter: 0.1 };
/** After a certificate that has to be replaced as soon as it is there. */
const disappointmentBackoff = { firstMs: 60_000, maxMs: 3_600_000, jitter: 0.1 };

/**
 * Renews a certificate when 70 to 90 % of its life have passed, and when names or addresses come up that it does not
 * have. Every new certificate has a new key. Failures are logged and tried again; what there is stays in use until then.
 */
export function startCertificateKeeper(options: CertificateKeeperOptions): CertificateKeeper {
  const keeper = new Keeper(options);
  keeper.start();
  return keeper;
}

class Keeper implements CertificateKeeper {
  readonly #options: CertificateKeeperOptions;
  readonly #end = new AbortController();
  readonly #listeners = new Set<() => void>();
  #current: CertificatePair | undefined;
  #renewAtMs: number;
  #done: Promise<void> = Promise.resolve();

  constructor(options: CertificateKeeperOptions) {
    const { initial, renewsAtOnce = false } = options;
    this.#options = options;
    this.#current = initial;
    this.#renewAtMs = initial === undefined || renewsAtOnce ? 0 : this.#dueAtMs(initial);
  }

  start(): void {
    this.#done = this.#run();
  }

  current(): CertificatePair | undefined {
    return this.#current;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#done;
  }

  #dueAtMs(pair: CertificatePair): number {
    return renewalTimeMs(validityOf(pair.certificatePem), this.#options.random);
  }

  /** Whether there is nothing to ask for. */
  #isGood(desired: CertificateSubject): boolean {
    const isYoung = this.#options.clock.nowMs() < this.#renewAtMs;
    return this.#current !== undefined && isYoung && covers(this.#current, desired);
  }

  async #run(): Promise<void> {
    const { subject, clock, random } = this.#options;
    const { signal } = this.#end;
    const failures = createBackoff({ ...failureBackoff, random });
    const disappointments = createBackoff({ ...disappointmentBackoff, random });
    while (!signal.aborted) {
      const desired = subject();
      if (desired === undefined) await pause(clock, subjectPauseMs, signal);
      else if (this.#isGood(desired)) await pause(clock, recheckMs, signal);
      else {
        const isRenewed = await this.#renew(desired);
        if (isRenewed && this.#isGood(desired)) disappointments.reset();
        if (isRenewed) failures.reset();
        // A signer that gives less than it is asked for is not asked again and again.
        if (!isRenewed) await pause(clock, failures.nextDelayMs(), signal);
        else if (!this.#isGood(desired)) await pause(clock, disappointments.nextDelayMs(), signal);
      }
    }
  }

  async #renew(desired: CertificateSubject): Promise<boolean> {
    const { store, clock, logger, counts } = this.#options;
    const { signal } = this.#end;
    const file = store.currentPath;
    try {
      const pair = await obtain(desired, this.#options, signal);
      await store.write(pair, clock.nowMs());
      if (this.#current !== undefined)
        counts.replaced(clock.nowMs() - validityOf(this.#current.certificatePem).notBeforeMs);
      this.#current = pair;
      this.#renewAtMs = this.#dueAtMs(pair);
      logger.info('certificate rotated', { file, next: new Date(this.#renewAtMs) });
      for (const listener of this.#listeners) listener();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      logger.error('certificate rotation failed', { file, error });
      counts.failed();
      return false;
    }
  }
}

async function obtain(
  subject: CertificateSubject,
  { client, dialect, purpose, clock, logger }: CertificateKeeperOptions,
  signal: AbortSignal,
): Promise<CertificatePair> {
  const keys = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const requestPem = makeSigningRequest(subject, keys);
  const timeoutMs = approvalTimeoutMs;
  const request = { client, dialect, purpose, requestPem, timeoutMs, clock, logger, signal };
  const pair = {
    certificatePem: await requestCertificate(request),
    privateKeyPem: keys.privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  };
  checkPair(pair);
  return pair;
}

function covers({ certificatePem }: CertificatePair, { dnsNames, ipAddresses }: CertificateSubject): boolean {
  if (dnsNames.length === 0 && ipAddresses.length === 0) return true;
  const certificate = new X509Certificate(certificatePem);
  return (
    dnsNames.every(
      (name) => certificate.checkHost(name, { subject: 'never', wildcards: false }) !== undefined,
    ) && ipAddresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}
