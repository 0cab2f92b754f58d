import { mandatoryFlowControl } from '../../apis/flowcontrol/index.ts';
import type {
  FlowSchema,
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
} from '../../apis/types/flowcontrol-apiserver-v1beta1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { decodeStored, FollowedCache, type ResourceStore } from '../../registry/index.ts';
import { compareSchemas, type FlowSubject, isForRequest, rulesForUser } from './match-schema.ts';
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

/** A flow schema in force: the requests that fit it go to its level. The same object until configurations change. */
export interface Lane {
  readonly schema: string;
  readonly schemaUid: string;
  readonly spec: FlowSchemaSpec;
  readonly level: PriorityLevel;
}

/** What tells the flows of a lane apart: the user, the namespace, or nothing. */
export function distinguisherOf({ spec }: Lane, { user, info }: FlowSubject): string {
  const method = spec.distinguisherMethod?.type;
  return method === 'ByUser' ? user.name : method === 'ByNamespace' ? info.namespace : '';
}

/** A lane, and what of its schema is for a user. */
interface UserLane {
  readonly lane: Lane;
  readonly rules: readonly PolicyRulesWithSubjects[];
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
  #lanes: readonly Lane[] = [];
  /** Those with rules for a user, until configurations change. */
  #byUser = new WeakMap<FlowSubject['user'], readonly UserLane[]>();
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

  /** The lane of a request. */
  classify(subject: FlowSubject): Lane {
    this.#refresh();
    const { user, info } = subject;
    for (const { lane, rules } of this.#lanesOf(user)) {
      if (rules.some((rule) => isForRequest(rule, info))) return lane;
    }
    // Validation and the mandatory objects see to it that the last one is for everybody.
    const last = this.#lanes.at(-1);
    if (last === undefined) throw new RangeError('no flow schema is left');
    return last;
  }

  #lanesOf(user: FlowSubject['user']): readonly UserLane[] {
    let lanes = this.#byUser.get(user);
    if (lanes === undefined) {
      lanes = this.#lanes.flatMap((lane) => {
        const rules = rulesForUser(lane.spec, user);
        return rules.length === 0 ? [] : [{ lane, rules }];
      });
      this.#byUser.set(user, lanes);
    }
    return lanes;
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
    this.#byUser = new WeakMap();
    this.#lanes = [...new Map([...mandatorySchemas, ...this.#schemas]).values()]
      .sort(compareSchemas)
      .flatMap(({ metadata, spec }) => {
        const level = levels.get(spec.priorityLevelConfiguration.name);
        if (level === undefined) return [];
        return [{ schema: metadata.name ?? '', schemaUid: metadata.uid ?? '', spec, level }];
      });
  }
}

/** They hold also while they are not stored yet. */
const mandatorySchemas = Object.entries(mandatoryFlowControl.flowSchemas).map(
  ([name, spec]): [string, Schema] => [name, { metadata: { name }, spec }],
);
const mandatoryLevels = Object.entries(mandatoryFlowControl.priorityLevels).map(
  ([name, spec]): [string, Level] => [name, { metadata: { name }, spec }],
);
