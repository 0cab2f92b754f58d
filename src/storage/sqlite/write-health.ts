import { errorText, type Logger } from '../../base/index.ts';
import { StorageError } from '../contract.ts';
import type { WorkerClient } from './worker-client.ts';

/** Whether the store accepts writes, judged by the last one. */
export class WriteHealth {
  readonly #client: WorkerClient;
  readonly #logger: Logger;
  #hasTrouble = false;

  constructor(client: WorkerClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** To be called when writes failed. */
  failed(error: StorageError): void {
    if (!this.#hasTrouble) this.#logger.error('storage writes failing', { error });
    this.#hasTrouble = true;
  }

  /** To be called when writes were committed. */
  succeeded(): void {
    if (this.#hasTrouble) this.#logger.info('storage writes recovered');
    this.#hasTrouble = false;
  }

  /** Resolves when the store answers, and takes writes if the last ones failed. @throws StorageError `unavailable`. */
  async check(): Promise<void> {
    if (!this.#hasTrouble) {
      await this.#client.call<'stats'>({ kind: 'stats' });
      return;
    }
    // After a failed write, only a successful one shows that the store works again.
    try {
      await this.#client.call<'probe'>({ kind: 'probe' });
    } catch (cause) {
      const detail = errorText(cause);
      throw new StorageError('unavailable', `storage takes no writes: ${detail}`, { cause });
    }
    this.succeeded();
  }
}
