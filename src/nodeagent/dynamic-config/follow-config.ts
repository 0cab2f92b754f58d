import type { ConfigMap, Node, NodeConfigStatus } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import { followNode } from '../node/index.ts';
import { announceRestart } from './announce-restart.ts';
import {
  type BadSource,
  type ConfigSource,
  type DesiredSource,
  readSourceRequest,
  sourcePath,
} from './config-source.ts';
import { type ConfigState, configStatus } from './config-state.ts';
import type { DynamicConfig, DynamicConfigOptions } from './dynamic-config.ts';
import { type Payload, planAssignment, planReset, readPayload } from './plan-sync.ts';
import { syncError } from './reasons.ts';
import { restartMessage } from './restart-message.ts';
import { SourceWatch } from './source-watch.ts';
import { keepTrial } from './trial.ts';

/** What failed is tried again after so long, as in release 1.20. */
const retryMs = 10_000;
const downloadTimeoutMs = 30_000;

/**
 * Follows the source that the node names and the ConfigMap behind it: keeps new versions on disk and asks for a restart,
 * and makes the active one the last known good one when its trial is over.
 */
export function followConfig(options: DynamicConfigOptions): DynamicConfig {
  return new Follower(options);
}

class Follower implements DynamicConfig {
  readonly #options: DynamicConfigOptions;
  readonly #stop = new AbortController();
  readonly #watch: SourceWatch;
  readonly #done: Promise<unknown>;
  /** `spec.configSource` of the node; undefined before the node was seen. */
  #desired: { readonly source: unknown } | undefined;
  #state: ConfigState;
  #isStale = false;
  #running: Promise<void> | undefined;
  #retry: AbortController | undefined;

  constructor(options: DynamicConfigOptions) {
    const { client, clock, logger } = options;
    const { signal } = this.#stop;
    this.#options = options;
    this.#state = options.state;
    const onChange = (): void => this.#sync();
    this.#watch = new SourceWatch({ client, clock, logger, signal, onChange });
    this.#done = Promise.all([this.#followNode(), keepTrial(this.#trial())]);
  }

  state(): ConfigState {
    return this.#state;
  }

  status(): NodeConfigStatus {
    return configStatus(this.#state, this.#options.dialect);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watch.done();
    await Promise.all([this.#done, this.#running]);
  }

  #trial() {
    const { store, clock, logger } = this.#options;
    return {
      store,
      clock,
      logger,
      state: () => this.#state,
      onGood: (lastKnownGood: ConfigSource) => this.#change({ lastKnownGood }),
      signal: this.#stop.signal,
    };
  }

  #followNode(): Promise<void> {
    const { client, nodeName, clock, logger } = this.#options;
    const onNode = (node: Node): void => {
      const source = node.spec.configSource;
      if (this.#desired !== undefined && isSameJson(this.#desired.source, source)) return;
      this.#desired = { source };
      this.#sync();
    };
    // A node that goes is left alone: it may be registered anew in a moment.
    return followNode({ client, nodeName, clock, logger, signal: this.#stop.signal, onNode }).done;
  }

  /** One at a time; a change that comes meanwhile is looked at afterwards. */
  #sync(): void {
    this.#isStale = true;
    this.#retry?.abort();
    this.#running ??= this.#syncAll();
  }

  async #syncAll(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      const failure = await this.#syncOnce();
      if (signal.aborted) return;
      this.#change({ syncError: failure && syncError(failure.failure, this.#options.dialect) });
      if (failure === undefined) continue;
      const { logger, dialect, clock } = this.#options;
      logger.error(syncError(failure.failure, dialect), { error: failure.detail });
      this.#retry = new AbortController();
      if (!this.#isStale) await pause(clock, retryMs, AbortSignal.any([signal, this.#retry.signal]));
      this.#isStale = true;
    }
    // In one step with the last look at whether there is more to do.
    this.#running = undefined;
  }

  /** Why the records on disk are not what the node asks for, if so. Never rejects. */
  async #syncOnce(): Promise<BadSource | undefined> {
    try {
      const request = readSourceRequest(this.#desired?.source, this.#options.dialect);
      this.#watch.follow(request.kind === 'configMap' ? request.source : undefined);
      if (request.kind === 'bad') return request;
      if (request.kind === 'local') return await this.#reset();
      const payload = await this.#download(request.source);
      return 'failure' in payload ? payload : await this.#assign(payload);
    } catch (error) {
      return { failure: 'internal', detail: String(error) };
    }
  }

  async #download(source: DesiredSource): Promise<Payload | BadSource> {
    const path = sourcePath(source);
    const limits = { timeoutMs: downloadTimeoutMs, signal: this.#stop.signal };
    try {
      const map = await this.#options.client.json<ConfigMap>({ method: 'GET', path, ...limits });
      return readPayload(source, map);
    } catch (error) {
      return { failure: 'download', detail: `${path}: ${String(error)}` };
    }
  }

  async #reset(): Promise<undefined> {
    const plan = planReset(this.#state);
    if (plan.kind === 'keep') return;
    const { store } = this.#options;
    await store.write('last-known-good', undefined);
    await store.write('assigned', undefined);
    this.#change({ assigned: undefined, lastKnownGood: undefined, isDamaged: false });
    if (plan.kind === 'reset' && plan.mustRestart) await this.#restart(undefined);
  }

  async #assign({ source, files }: Payload): Promise<undefined> {
    const { store } = this.#options;
    const plan = planAssignment(source, this.#state, { hasCheckpoint: await store.has(source) });
    if (plan.kind !== 'assign') return;
    if (plan.mustSave) await store.save(source, files);
    await store.write('assigned', source);
    this.#change({ assigned: source, isDamaged: false });
    if (plan.mustRestart) await this.#restart(source);
  }

  /** Nothing is followed any more: who comes next finds what was kept. */
  async #restart(source: ConfigSource | undefined): Promise<void> {
    const { dialect, onRestart } = this.#options;
    const message = restartMessage(source, dialect);
    await announceRestart(message, this.#options);
    this.#stop.abort();
    onRestart(message);
  }

  #change(change: Partial<ConfigState>): void {
    const before = this.#state;
    this.#state = { ...before, ...change };
    const fields = Object.keys(change) as (keyof ConfigState)[]; // those of the object
    if (fields.some((field) => before[field] !== change[field])) this.#options.onChange(this.#state);
  }
}

/** Both come from the same decoder, which keeps the order of fields. */
const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
