import type { JSONWebKeySet } from 'jose';
import { asJsonObject, asText, type Clock, isJsonObject } from '../../../base/index.ts';

/** Where the keys of a provider come from. */
export interface ProviderKeysOptions {
  /** Value of `--oidc-issuer-url`. */
  readonly issuer: string;
  /** Reads a JSON document. What it throws is passed on. */
  readonly read: (url: string) => Promise<unknown>;
  readonly clock: Clock;
}

/** Keys are not asked for again before, whatever tokens come: as often as release 1.20 asks for the configuration. */
const pauseMs = 10_000;

/** The public keys of an OpenID Connect provider (Discovery 1.0, RFC 7517), asked for when the first token comes. */
export class ProviderKeys {
  readonly #options: ProviderKeysOptions;
  #keySetUrl: string | undefined;
  #keys: JSONWebKeySet | undefined;
  #underWay: Promise<JSONWebKeySet> | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #failure: unknown;

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
  }

  /** The keys as they were last seen. @throws Error when they were never seen, and cannot be now. */
  async current(): Promise<JSONWebKeySet> {
    return this.#keys ?? (await this.#ask());
  }

  /** Other keys than `known`, when the provider has some by now; undefined when it has not, or was asked just before. */
  async newerThan(known: JSONWebKeySet): Promise<JSONWebKeySet | undefined> {
    if (this.#keys !== known) return this.#keys;
    if (this.#underWay === undefined && this.#isPausing()) return undefined;
    const found = await this.#ask();
    return JSON.stringify(found) === JSON.stringify(known) ? undefined : found;
  }

  #isPausing(): boolean {
    return this.#options.clock.nowMs() - this.#askedAtMs < pauseMs;
  }

  /** Whoever waits shares one answer; a failure counts until it may be asked again. */
  #ask(): Promise<JSONWebKeySet> {
    if (this.#underWay === undefined) {
      if (this.#isPausing()) return Promise.reject(this.#failure);
      this.#askedAtMs = this.#options.clock.nowMs();
      this.#underWay = this.#fetch().finally(() => {
        this.#underWay = undefined;
      });
    }
    return this.#underWay;
  }

  async #fetch(): Promise<JSONWebKeySet> {
    const { issuer, read } = this.#options;
    try {
      this.#keySetUrl ??= readConfiguration(
        await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
        issuer,
      );
      this.#keys = readKeySet(await read(this.#keySetUrl));
      return this.#keys;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}

/** Where the keys are. @throws Error for the configuration of another issuer. */
function readConfiguration(document: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = asJsonObject(document);
  if (named !== issuer) {
    const got = JSON.stringify(asText(named));
    throw new Error(
      `issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuer)} got ${got}`,
    );
  }
  return asText(url);
}

/** @throws Error for what is no key set. */
function readKeySet(document: unknown): JSONWebKeySet {
  const { keys } = asJsonObject(document);
  if (!Array.isArray(keys)) throw new Error('the key set of the provider has no keys');
  return { keys: keys.filter(isJsonObject) };
}
