import { danglingCondition } from '../apis/flowcontrol/index.ts';
import type { FlowSchema } from '../apis/types/flowcontrol-apiserver-v1beta1.ts';
import { type Clock, type Logger, pause } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import { isPathSegmentName } from '../machinery/formats/index.ts';
import {
  formatNow,
  keyOf,
  type ResourceStore,
  type ServedKind,
  type Stores,
  serverUser,
  updateObject,
} from '../registry/index.ts';
import type { CacheWatch } from '../storage/watch-cache/index.ts';

/** In whose name release 1.20 writes the conditions. */
const manager = 'api-priority-and-fairness-config-consumer-v1';
/** How long after a failure it is tried again. */
const retryMs = 5000;

export interface KeepFlowSchemasOptions {
  readonly stores: Pick<Stores, 'served'>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Keeps the condition of all flow schemas true that says whether their priority levels exist, until the signal aborts.
 * Never rejects.
 */
export async function keepFlowSchemas({
  stores,
  dialect,
  ...options
}: KeepFlowSchemasOptions): Promise<void> {
  const group = dialect.group('flowcontrol.apiserver');
  const schemas = stores.served.get(`${group}/v1beta1/flowschemas`);
  const levels = stores.served.get(`${group}/v1beta1/prioritylevelconfigurations`)?.store;
  if (schemas === undefined || levels === undefined) return;
  await new FlowSchemaKeeper({ ...options, schemas, levels }).run();
}

interface KeeperOptions extends Pick<KeepFlowSchemasOptions, 'clock' | 'logger' | 'signal'> {
  readonly schemas: ServedKind;
  readonly levels: ResourceStore;
}

class FlowSchemaKeeper {
  readonly #options: KeeperOptions;
  /** Keys of flow schemas to look at. */
  readonly #due = new Set<string>();
  #watches: CacheWatch[] = [];
  #hasFailed = false;
  #wake = () => {};

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    const onAbort = (): void => this.#wake();
    signal.addEventListener('abort', onAbort);
    this.#watch();
    while (!signal.aborted) {
      await this.#settleDue();
      if (this.#hasFailed) {
        await pause(clock, retryMs, signal);
        this.#watch();
      } else if (this.#due.size === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (signal.aborted) resolve();
        });
      }
    }
    signal.removeEventListener('abort', onAbort);
    for (const watch of this.#watches) watch.close();
  }

  /** Begins with the state as it is. */
  #watch(): void {
    const { schemas, levels } = this.#options;
    for (const watch of this.#watches) watch.close();
    this.#hasFailed = false;
    const follow = ({ cache, keyPrefix }: ResourceStore, onKey: (key: string) => void): CacheWatch =>
      cache.watch(
        { prefix: keyPrefix, afterRevision: 'state' },
        {
          onEvent: ({ object }) => {
            onKey(object.key);
            this.#wake();
          },
          onError: () => {
            this.#hasFailed = true;
            this.#wake();
          },
        },
      );
    this.#watches = [
      follow(schemas.store, (key) => this.#due.add(key)),
      follow(levels, () => {
        const { objects } = schemas.store.cache.list({ prefix: schemas.store.keyPrefix });
        for (const { key } of objects) this.#due.add(key);
      }),
    ];
  }

  async #settleDue(): Promise<void> {
    for (const key of this.#due) {
      this.#due.delete(key);
      if (this.#options.signal.aborted) return;
      try {
        await this.#settle(key);
      } catch (error) {
        // What came in between, or a deletion, is told by the watch.
        if (isReason(error, 'Conflict') || isReason(error, 'NotFound')) continue;
        this.#options.logger.error('condition of a flow schema was not recorded', { key, error });
        this.#hasFailed = true;
      }
    }
  }

  async #settle(key: string): Promise<void> {
    const { schemas, levels, clock } = this.#options;
    const stored = schemas.store.cache.get(key);
    if (stored === undefined) return;
    const schema = stored.decode() as FlowSchema; // what its store holds
    const level = schema.spec.priorityLevelConfiguration.name;
    const hasLevel =
      isPathSegmentName(level).length === 0 && levels.cache.get(keyOf(levels, '', level)) !== undefined;
    const condition = danglingCondition(schema, hasLevel, formatNow(clock.nowMs()));
    if (condition === undefined) return;
    await updateObject(schemas, {
      namespace: '',
      name: schema.metadata.name ?? '',
      subresource: 'status',
      change: {
        kind: 'patch',
        format: 'strategic',
        bytes: Buffer.from(JSON.stringify({ status: { conditions: [condition] } })),
      },
      manager,
      options: { user: serverUser, isDryRun: false },
    });
  }
}
