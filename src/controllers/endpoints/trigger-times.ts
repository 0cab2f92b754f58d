import type { Pod, Service } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import { keyOf } from '../shared-informers.ts';

/** What was known of a service when it was looked at last; times as the API has them, which sort as text. */
interface Known {
  readonly service: string;
  /** By name of the pod. */
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * When what endpoints follow from has changed: services by their creation, pods by the last change of whether they are ready. Whoever
 * carries traffic measures by it how long changes take. Source: release 1.20, `TriggerTimeTracker`.
 */
export class TriggerTimes {
  readonly #annotation: string;
  readonly #known = new Map<string, Known>();

  constructor(dialect: Dialect) {
    this.#annotation = dialect.domain('endpoints', 'last-change-trigger-time');
  }

  /**
   * The earliest change since the last look at the service; undefined without any. At the first look it is the creation of
   * the service, since nobody knows what changed before.
   */
  look(service: Service, pods: readonly Pod[]): string | undefined {
    const key = keyOf(service);
    const known = this.#known.get(key);
    const created = service.metadata.creationTimestamp ?? '';
    const times = new Map(pods.map((pod) => [pod.metadata.name ?? '', readinessTime(pod)]));
    this.#known.set(key, { service: created, pods: times });
    if (known === undefined) return created;
    const changes = [...times].flatMap(([name, time]) => (time > (known.pods.get(name) ?? '') ? [time] : []));
    if (created > known.service) changes.push(created);
    return changes.sort()[0];
  }

  /** The service is gone. `key` is that of `keyOf`. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  /** Metadata of endpoints that are written because of the change at `time`; an older time is taken away. */
  stamp<M extends ObjectMeta>(metadata: M, time: string | undefined): M {
    const { [this.#annotation]: _, ...annotations } = metadata.annotations ?? {};
    if (time !== undefined) annotations[this.#annotation] = time;
    return { ...metadata, annotations };
  }
}

const readinessTime = ({ status }: Pod): string =>
  status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '';
