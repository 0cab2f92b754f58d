import type { Pod } from '../../apis/types/core-v1.ts';
import { asError, type Clock, errorText, type Logger, pause } from '../../base/index.ts';
import type { PodVerdict } from '../sync/pod-input.ts';
import { systemBusPath } from './dbus/bus-address.ts';
import { type DelayLock, ensureDelay, type TakeDelayLock, takeDelayLock } from './delay-lock.ts';
import { type Logind, openLogind } from './logind.ts';
import {
  type NodeShutdown,
  planShutdown,
  type ShutdownPeriods,
  type ShutdownPhase,
  shutdownProblem,
  shutdownRefusal,
  shutdownVerdict,
} from './plan-shutdown.ts';

/** The grace periods of a node shutdown, and how pods are ended in them. */
export interface ShutdownOptions extends ShutdownPeriods {
  /** Name of the agent as its machine knows it. */
  readonly agent: string;
  /** Of the process: it says where the system bus is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Pods that may still run something. */
  readonly pods: () => readonly Pod[];
  readonly isCritical: (pod: Pod) => boolean;
  /** Ends a pod for good; resolves when nothing of it runs. A rejection is logged. */
  readonly evict: (pod: Pod, verdict: PodVerdict) => Promise<void>;
  /** A shutdown began; undefined: it was called off. */
  readonly onChange: (shutdown: NodeShutdown | undefined) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Another way to delay the shutdown, for tests; `systemd-inhibit` when left out. */
  readonly takeLock?: TakeDelayLock | undefined;
  /** Folder of additions to logind's configuration, for tests. */
  readonly configFolder?: string | undefined;
}

/** Waits before the bus is looked for again. */
const minRetryMs = 1000;
const maxRetryMs = 60_000;

/**
 * Delays shutdowns of the machine until its pods have ended: listens to logind until it is disposed of, over absences of
 * the bus. Returns before that has been found.
 */
export function startShutdownManager(options: ShutdownOptions): AsyncDisposable {
  const manager = new Manager(options);
  manager.start();
  return manager;
}

class Manager implements AsyncDisposable {
  /** From the first word of a shutdown until it is called off. */
  #isShuttingDown = false;
  readonly #options: ShutdownOptions;
  readonly #stop = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();
  /** Pods end, and locks are taken and released, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #lock: DelayLock | undefined;
  /** Ends the waiting of the session that listens now. */
  #endSession: (reason: Error) => void = () => {};
  #lastFailure: string | undefined;

  constructor(options: ShutdownOptions) {
    this.#options = options;
    this.#stop.signal.addEventListener('abort', () => this.#stopped.resolve(), { once: true });
  }

  start(): void {
    this.#loop = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await this.#work;
    await this.#release();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    let waitMs = minRetryMs;
    while (!signal.aborted) {
      try {
        await this.#session(() => {
          waitMs = minRetryMs;
        });
      } catch (error) {
        if (!signal.aborted) this.#logFailure(error);
      }
      await pause(clock, waitMs, signal);
      waitMs = Math.min(maxRetryMs, waitMs * 2);
    }
  }

  /** The same failure is logged once. */
  #logFailure(error: unknown): void {
    const text = errorText(error);
    if (text === this.#lastFailure) return;
    this.#lastFailure = text;
    this.#options.logger.error('node shutdown manager start failed', { error });
  }

  /** Listens until the bus or the lock is lost. @throws Error for why it ended, or could not begin */
  async #session(onBegin: () => void): Promise<void> {
    const { environment, clock, agent, periodMs, configFolder = defaultFolder } = this.#options;
    const { signal } = this.#stop;
    const ended = Promise.withResolvers<Error>();
    this.#endSession = ended.resolve;
    const onShutdown = (isShuttingDown: boolean): void => this.#change(isShuttingDown);
    const logind = await openLogind({ busPath: systemBusPath(environment), clock, signal, onShutdown });
    try {
      await ensureDelay({ logind, desiredMs: periodMs, configFolder, agent, clock, signal });
      await this.#begin(logind);
      onBegin();
      this.#lastFailure = undefined;
      const reason = await Promise.race([ended.promise, logind.whenClosed, this.#stopped.promise]);
      if (reason !== undefined) throw reason;
    } finally {
      logind.close();
    }
  }

  /** A shutdown that began before anybody listened counts as well; it cannot be delayed any more. */
  async #begin(logind: Logind): Promise<void> {
    this.#change(await logind.isShuttingDown());
    await this.#do(() => this.#take());
  }

  #change(isShuttingDown: boolean): void {
    if (isShuttingDown === this.#isShuttingDown) return;
    const { logger, onChange } = this.#options;
    this.#isShuttingDown = isShuttingDown;
    logger.info(isShuttingDown ? 'node shutdown detected' : 'node shutdown cancelled');
    onChange(isShuttingDown ? { problem: shutdownProblem, refusal: shutdownRefusal } : undefined);
    const work = isShuttingDown ? this.#endPods() : this.#do(() => this.#take());
    void work.catch((error: unknown) => this.#endSession(asError(error)));
  }

  /** Does something when all that came before is done. @throws as it */
  #do(action: () => Promise<void>): Promise<void> {
    const done = this.#work.then(action);
    this.#work = done.catch(() => {});
    return done;
  }

  async #take(): Promise<void> {
    const { takeLock = takeDelayLock, agent, environment, clock, logger, periodMs } = this.#options;
    if (this.#lock !== undefined || this.#isShuttingDown || this.#stop.signal.aborted) return;
    const why = `${agent} needs time to end its pods`;
    const lock = await takeLock({ who: agent, why, environment, clock, signal: this.#stop.signal });
    this.#lock = lock;
    logger.info('shutdown inhibitor lock taken', { periodMs });
    void lock.whenGone.then((reason) => {
      if (this.#lock !== lock) return;
      this.#lock = undefined;
      this.#endSession(new Error(`a shutdown of the node is not delayed any more: ${reason}`));
    });
  }

  async #release(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }

  #endPods(): Promise<void> {
    return this.#do(async () => {
      const { pods, logger } = this.#options;
      for (const phase of planShutdown(pods(), this.#options)) {
        if (this.#isShuttingDown && !this.#stop.signal.aborted) await this.#endPhase(phase);
      }
      // Called off meanwhile: the lock stays.
      if (!this.#isShuttingDown) return;
      await this.#release();
      logger.info('shutdown inhibitor lock released: pods terminated');
    });
  }

  /** Resolves when all have ended, or their time is over. Never rejects. */
  async #endPhase({ pods, periodMs }: ShutdownPhase): Promise<void> {
    const { evict, clock, logger } = this.#options;
    if (pods.length === 0) return;
    const over = new AbortController();
    const ends = pods.map(async ({ pod, graceMs }) => {
      const { namespace, name } = pod.metadata;
      logger.info('pod terminated for node shutdown', { namespace, name, graceMs });
      await evict(pod, { ...shutdownVerdict, graceMs }).catch((error: unknown) => {
        logger.error('pod did not terminate before node shutdown', { namespace, name, error });
      });
    });
    const signal = AbortSignal.any([over.signal, this.#stop.signal]);
    await Promise.race([Promise.all(ends), pause(clock, periodMs, signal)]);
    over.abort();
  }
}

const defaultFolder = '/etc/systemd/logind.conf.d';
