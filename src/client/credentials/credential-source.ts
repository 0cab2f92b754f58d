import type { Clock } from '../../base/index.ts';

/** What proves who the client is, as a program or a provider gave it out. A key comes with its certificate. */
export interface Credentials {
  readonly token?: string | undefined;
  readonly certificatePem?: string | undefined;
  readonly keyPem?: string | undefined;
  /** When they cease to count; undefined: not before a server refuses them. */
  readonly expiresAtMs?: number | undefined;
}

/** An answer of 401, for programs that want to know why they are asked again. */
export interface Refusal {
  readonly code: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** Credentials that are asked for when they are needed. */
export interface CredentialSource {
  /** What counts now. @throws TransportError when nothing can be had, ClientConfigError for settings without a meaning */
  current(): Promise<Credentials>;
  /** Says that a server did not take `credentials`, so that others are asked for before the next request. */
  refuse(credentials: Credentials, refusal: Refusal): void;
}

/** How credentials are obtained. */
export interface KeptCredentialsOptions {
  /** Obtains new ones; after a refusal, it is told of that. */
  readonly obtain: (refusal: Refusal | undefined) => Promise<Credentials>;
  readonly clock: Clock;
  /** How long before their end credentials are no longer used. Default 0. */
  readonly leewayMs?: number | undefined;
}

/**
 * Credentials that are kept until they expire or a server refuses them. Whoever asks meanwhile waits for the same
 * answer; a failure is told to those who wait, and the next request asks again.
 */
export class KeptCredentials implements CredentialSource {
  readonly #options: KeptCredentialsOptions;
  #kept: Credentials | undefined;
  #underWay: Promise<Credentials> | undefined;
  #refusal: Refusal | undefined;

  constructor(options: KeptCredentialsOptions) {
    this.#options = options;
  }

  async current(): Promise<Credentials> {
    const { clock, leewayMs = 0 } = this.#options;
    const { expiresAtMs = Number.POSITIVE_INFINITY } = this.#kept ?? {};
    if (this.#kept !== undefined && clock.nowMs() < expiresAtMs - leewayMs) return this.#kept;
    this.#underWay ??= this.#obtain().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  refuse(credentials: Credentials, refusal: Refusal): void {
    if (this.#kept !== credentials) return; // there are others by now
    this.#kept = undefined;
    this.#refusal = refusal;
  }

  async #obtain(): Promise<Credentials> {
    const kept = await this.#options.obtain(this.#refusal);
    this.#refusal = undefined;
    this.#kept = kept;
    return kept;
  }
}
