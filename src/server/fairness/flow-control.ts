import { mandatoryFlowControl } from '../../apis/flowcontrol/index.ts';
import type {
  FlowSchema,
  PriorityLevelConfiguration,
} from '../../apis/types/flowcontrol-apiserver-v1beta1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { decodeStored, FollowedCache, type ResourceStore } from '../../registry/index.ts';
import { compareSchemas, type FlowSubject, matchesSchema } from './match-schema.ts';
import { PriorityLevel } from './priority-level.ts';

/** Where configurations are, and what there is to share. */
export interface FlowControlOptions {
  /** The stores, undefined until there are some. */
  storeOf(resource: 'flowschemas' | 'prioritylevelconfigurations'): ResourceStore | undefined;
  /** Seats of all levels together. */
  readonly seats: number;
  readonly nowMs: () => number;
  /** Told of the seats of each level whenever they change. */
  readonly onSeats?: ((level: string, seats: number) => void) | undefined;
}

/** Which schema and level a request belongs to, and its flow among the level's. */
export interface Classification {
  readonly schema: string;
  readonly schemaUid: string;
  readonly level: PriorityLevel;
  readonly distinguisher: string;
}

type Schema = Pick<FlowSchema, 'metadata' | 'spec'>;
type Level = Pick<PriorityLevelConfiguration, 'metadata' | 'spec'>;

/** Flow schemas and priority levels as they are stored now. Writes count for the next request. */
export class FlowControl {
  readonly #options: FlowControlOptions;
  readonly #schemas = new Map<string, Schema>();
  readonly #configurations = new Map<string, Level>();
  #levels = new Map<string, PriorityLevel>();
  /** In order, those without a level left out. */
  #ordered: readonly Schema[] = [];
  #caches: readonly FollowedCache[] | undefined;
  #hasChanged = true;

  constructor(options: FlowControlOptions) {
    this.#options = options;
  }

  /** All levels, by name. */
  get levels(): ReadonlyMap<string, PriorityLevel> {
    this.#refresh();
    return this.#levels;
  }

  classify(subject: FlowSubject): Classification {
    this.#refresh();
    // Validation and the mandatory objects see to it that one is for everybody.
    const schema = this.#ordered.find(({ spec }) => matchesSchema(spec, subject)) ?? this.#ordered.at(-1);
    const level = schema && this.#levels.get(schema.spec.priorityLevelConfiguration.name);
    if (schema === undefined || level === undefined) throw new RangeError('no flow schema is left');
    const { metadata, spec } = schema;
    const method = spec.distinguisherMethod?.type;
    const { user, info } = subject;
    return {
      schema: metadata.name ?? '',
      schemaUid: metadata.uid ?? '',
      level,
      distinguisher: method === 'ByUser' ? user.name : method === 'ByNamespace' ? info.namespace : '',
    };
  }

  #refresh(): void {
    this.#caches ??= this.#follow();
    for (const cache of this.#caches ?? []) cache.refresh();
    if (this.#hasChanged) this.#arrange();
    this.#hasChanged = false;
  }

  #follow(): readonly FollowedCache[] | undefined {
    const { storeOf } = this.#options;
    const [schemas, levels] = [storeOf('flowschemas'), storeOf('prioritylevelconfigurations')];
    if (schemas === undefined || levels === undefined) return undefined;
    return [
      this.#followInto<Schema>(schemas, this.#schemas),
      this.#followInto<Level>(levels, this.#configurations),
    ];
  }

  #followInto<T extends Schema | Level>(store: ResourceStore, known: Map<string, T>): FollowedCache {
    return new FollowedCache(store, {
      put: (object) => {
        known.set(object.key.slice(store.keyPrefix.length), decodeStored<T & ApiObject>(object));
        this.#hasChanged = true;
      },
      remove: ({ key }) => {
        known.delete(key.slice(store.keyPrefix.length));
        this.#hasChanged = true;
      },
    });
  }

  /** Shares the seats, and sorts the schemas. A level that is gone lives on in its requests only. */
  #arrange(): void {
    const { seats, nowMs, onSeats } = this.#options;
    const configurations = new Map([...mandatoryLevels, ...this.#configurations]);
    const levels = new Map<string, PriorityLevel>();
    for (const [name, configuration] of configurations) {
      const known = this.#levels.get(name);
      levels.set(
        name,
        known?.fits(configuration) === true ? known : new PriorityLevel(configuration, nowMs()),
      );
    }
    const sharesOf = ({ spec }: Level): number => spec.limited?.assuredConcurrencyShares ?? 0;
    const allShares = [...configurations.values()].reduce((sum, level) => sum + sharesOf(level), 0);
    for (const [name, configuration] of configurations) {
      const share = allShares === 0 ? 0 : Math.ceil((seats * sharesOf(configuration)) / allShares);
      levels.get(name)?.configure(configuration.spec, share, nowMs());
      if (configuration.spec.type === 'Limited') onSeats?.(name, share);
    }
    this.#levels = levels;
    this.#ordered = [...new Map([...mandatorySchemas, ...this.#schemas]).values()]
      .filter(({ spec }) => levels.has(spec.priorityLevelConfiguration.name))
      .sort(compareSchemas);
  }
}

/** They hold also while they are not stored yet. */
const mandatorySchemas = Object.entries(mandatoryFlowControl.flowSchemas).map(
  ([name, spec]): [string, Schema] => [name, { metadata: { name }, spec }],
);
const mandatoryLevels = Object.entries(mandatoryFlowControl.priorityLevels).map(
  ([name, spec]): [string, Level] => [name, { metadata: { name }, spec }],
);
