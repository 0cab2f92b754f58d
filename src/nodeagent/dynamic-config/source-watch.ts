import type { Clock, Logger } from '../../base/index.ts';
import { startInformer } from '../../client/informer/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { DesiredSource } from './config-source.ts';

/** How the ConfigMap of a configuration is followed, until `signal` ends that. */
export interface SourceWatchOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** The ConfigMap is there, has changed, or is gone. */
  readonly onChange: () => void;
}

interface Followed {
  readonly source: DesiredSource;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Tells of changes of one ConfigMap, and of no others. */
export class SourceWatch {
  readonly #options: SourceWatchOptions;
  #followed: Followed | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: SourceWatchOptions) {
    this.#options = options;
  }

  /** From now on this one; undefined: none. The one that is followed already is left alone. */
  follow(source: DesiredSource | undefined): void {
    const { signal } = this.#options;
    const current = this.#followed;
    if (current?.source.namespace === source?.namespace && current?.source.name === source?.name) return;
    current?.stop.abort();
    this.#followed = undefined;
    if (current !== undefined) this.#ended = Promise.all([this.#ended, current.done]);
    if (source === undefined || signal.aborted) return;
    this.#followed = this.#start(source);
  }

  /** Resolves when nothing is followed any more; `signal` must have been aborted. */
  async done(): Promise<void> {
    await Promise.all([this.#ended, this.#followed?.done]);
  }

  #start(source: DesiredSource): Followed {
    const { client, clock, logger, signal, onChange } = this.#options;
    const stop = new AbortController();
    const { done } = startInformer({
      client,
      clock,
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      namespace: source.namespace,
      fieldSelector: `metadata.name=${source.name}`,
      signal: AbortSignal.any([signal, stop.signal]),
      onError: (error) => logger.debug('assigned ConfigMap watch failed', { error }),
      onAdd: onChange,
      onUpdate: onChange,
      onDelete: onChange,
    });
    return { source, stop, done };
  }
}
