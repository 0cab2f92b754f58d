import type { Dialect } from '../../../machinery/dialect.ts';
import { goJson } from '../../../machinery/go-values/index.ts';
import type { ObjectMeta } from '../../../machinery/meta/index.ts';
import { keepReceived } from '../../../machinery/schema/index.ts';

/** What older versions of autoscalers have no field for. */
export type ExtraName = 'metrics' | 'current-metrics' | 'conditions' | 'behavior';

const extraNames: readonly ExtraName[] = ['metrics', 'current-metrics', 'conditions', 'behavior'];

/** The annotations in which older versions of autoscalers keep what they have no field for. */
export class ExtraAnnotations {
  readonly #keys: ReadonlyMap<ExtraName, string>;

  constructor(dialect: Dialect) {
    this.#keys = new Map(extraNames.map((name) => [name, dialect.domain('autoscaling.alpha', name)]));
  }

  /** The JSON value of one; undefined when it is absent or is no JSON. */
  read({ annotations }: ObjectMeta, name: ExtraName): unknown {
    const text = annotations?.[this.#keys.get(name) ?? ''];
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      // Clients may write any text there; release 1.20 takes what it cannot read for absent.
      return undefined;
    }
  }

  /** Replaces one of them, if it is there. */
  write({ annotations }: ObjectMeta, name: ExtraName, value: unknown): void {
    const key = this.#keys.get(name) ?? '';
    if (annotations !== undefined && key in annotations) annotations[key] = goJson(value);
  }

  /** The metadata with just these annotations of the four; undefined values are left out. Nothing given is changed. */
  replace(metadata: ObjectMeta, extras: Readonly<Partial<Record<ExtraName, unknown>>>): ObjectMeta {
    const { annotations: given, ...rest } = metadata;
    keepReceived(metadata, rest);
    const annotations = { ...given };
    for (const [name, key] of this.#keys) {
      const value = extras[name];
      if (value === undefined) delete annotations[key];
      else annotations[key] = goJson(value);
    }
    return Object.keys(annotations).length === 0 ? rest : Object.assign(rest, { annotations });
  }
}
