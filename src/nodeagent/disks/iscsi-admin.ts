import { redactSecrets } from '../volume-plugins/driver-options.ts';
import { type DiskHost, describeEnd } from './disk-host.ts';

/** How a call of `iscsiadm` ended. */
export interface AdminResult {
  readonly code: number | undefined;
  /** Without secrets. */
  readonly output: string;
  /** In the words of release 1.20, such as `exit status 8`. */
  readonly end: string;
}

/** Logins are tried again by `iscsiadm` itself, for two minutes with its usual settings. */
const timeoutMs = 300_000;

/** Calls of `iscsiadm(8)`. Arguments are logged for who debugs; secrets never are, nor are they in what it returns. */
export class IscsiAdmin {
  readonly #host: DiskHost;
  readonly #secrets: readonly string[];

  /** `secrets`: texts in base64 that calls may have among their arguments. */
  constructor(host: DiskHost, secrets: readonly string[] = []) {
    this.#host = host;
    this.#secrets = secrets;
  }

  /** Never rejects. */
  async run(...args: readonly string[]): Promise<AdminResult> {
    const result = await this.#call(args);
    const { code, output } = result;
    this.#host.logger.debug('iscsiadm', { args: args.join(' '), code, output });
    return result;
  }

  /** The same for a setting whose value (in base64) is a secret. */
  async setSecret(record: readonly string[], name: string, value: string): Promise<AdminResult> {
    const text = Buffer.from(value, 'base64').toString('utf8');
    const result = await this.#call([...record, '-o', 'update', '-n', name, '-v', text]);
    this.#host.logger.debug('iscsiadm set a secret', { name, code: result.code });
    return result;
  }

  async #call(args: readonly string[]): Promise<AdminResult> {
    const result = await this.#host.run('iscsiadm', args, timeoutMs);
    // The message of a program that was ended has all of its arguments.
    const text = result.output.startsWith('Command failed') ? 'signal: killed' : result.output;
    const output = redactSecrets(text, this.#secrets);
    return { code: result.code, output, end: describeEnd('iscsiadm', { code: result.code, output }) };
  }
}
