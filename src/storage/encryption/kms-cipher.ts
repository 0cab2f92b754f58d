import { randomBytes } from 'node:crypto';
import { type Clock, errorText } from '../../base/index.ts';
import { aescbcCipher, type ValueCipher } from './ciphers.ts';
import { KmsClient } from './kms-client.ts';

/** A key management service as a configuration names it. */
export interface KmsOptions {
  readonly name: string;
  /** `unix://PATH` of its socket. */
  readonly endpoint: string;
  /** Keys that are kept opened. */
  readonly cacheSize: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

const keyBytes = 32;
const lengthBytes = 2;
/** How long an answer to a health check counts, a good and a bad one. Source: release 1.20. */
const healthyMs = 20_000;
const unhealthyMs = 3000;

/**
 * Seals each value with a key of its own, which a service seals: `length | sealed key | IV | ciphertext`. Opened keys are
 * kept in memory, so that what is read or written often asks the service once.
 */
export class KmsCipher implements ValueCipher, Disposable {
  readonly keyName: string;
  readonly #options: KmsOptions;
  readonly #client: KmsClient;
  /** By sealed key; the oldest goes first. */
  readonly #keys = new Map<string, Buffer>();
  #health: { readonly problem: string | undefined; readonly untilMs: number } | undefined;

  constructor(options: KmsOptions) {
    this.keyName = options.name;
    this.#options = options;
    this.#client = new KmsClient(options.endpoint, options.timeoutMs);
  }

  async seal(plain: Buffer, path: string): Promise<Buffer> {
    const secret = randomBytes(keyBytes);
    const sealedKey = await this.#client.encrypt(secret);
    if (sealedKey.length === 0 || sealedKey.length > 0xffff) throw new Error('the service sealed no key');
    this.#keep(sealedKey.toString('latin1'), secret);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(sealedKey.length);
    return Buffer.concat([length, sealedKey, await aescbcCipher({ name: '', secret }).seal(plain, path)]);
  }

  open(sealed: Buffer, path: string): Buffer | Promise<Buffer> {
    const keyEnd = sealed.length < lengthBytes ? Number.NaN : lengthBytes + sealed.readUInt16BE(0);
    if (!(keyEnd <= sealed.length)) throw new Error('invalid data encountered by envelope transformer');
    const sealedKey = sealed.subarray(lengthBytes, keyEnd);
    const openWith = (secret: Buffer) =>
      aescbcCipher({ name: '', secret }).open(sealed.subarray(keyEnd), path);
    const known = this.#keys.get(sealedKey.toString('latin1'));
    if (known !== undefined) return openWith(known);
    return this.#openKey(sealedKey).then(openWith);
  }

  /** Whether the service seals and opens. @throws Error that says what is wrong. */
  async check(): Promise<void> {
    const { clock } = this.#options;
    if (this.#health === undefined || clock.nowMs() >= this.#health.untilMs) {
      const problem = await this.#probe();
      const keptMs = problem === undefined ? healthyMs : unhealthyMs;
      this.#health = { problem, untilMs: clock.nowMs() + keptMs };
    }
    if (this.#health.problem !== undefined) throw new Error(this.#health.problem);
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }

  async #probe(): Promise<string | undefined> {
    try {
      const opened = await this.#client.decrypt(await this.#client.encrypt(Buffer.from('ping')));
      return opened.toString() === 'ping' ? undefined : 'the service opens what it sealed to something else';
    } catch (error) {
      return errorText(error);
    }
  }

  async #openKey(sealedKey: Buffer): Promise<Buffer> {
    const secret = await this.#client.decrypt(Buffer.from(sealedKey)).catch((cause: unknown) => {
      throw new Error(`failed to decrypt DEK, error: ${errorText(cause)}`, { cause });
    });
    if (secret.length !== keyBytes) throw new Error('the service opened a key of another length');
    this.#keep(sealedKey.toString('latin1'), secret);
    return secret;
  }

  #keep(sealedKey: string, secret: Buffer): void {
    this.#keys.set(sealedKey, secret);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > this.#options.cacheSize && oldest !== undefined) this.#keys.delete(oldest);
  }
}
