import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../../machinery/schema/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';

/** The objects of a request as a version has them. */
export interface ShownObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** Shows the objects of one request to webhooks, each version made once. */
export class ObjectShow {
  readonly #attributes: AdmissionAttributes;
  readonly #objects = new Map<string, ApiObject>();
  readonly #oldObjects = new Map<string, ApiObject>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** @throws StatusError when one of them cannot be converted. */
  async as(kind: GroupVersionKind): Promise<ShownObjects> {
    const { object, oldObject } = this.#attributes;
    return {
      object: object && (await this.#show(this.#objects, object, kind)),
      oldObject: oldObject && (await this.#show(this.#oldObjects, oldObject, kind)),
    };
  }

  /** The new object was changed; `shown` is what it is in one version, if that is known. */
  changed(kind: GroupVersionKind, shown: ApiObject | undefined): void {
    this.#objects.clear();
    if (shown !== undefined) this.#objects.set(keyOf(kind), shown);
  }

  async #show(made: Map<string, ApiObject>, object: ApiObject, kind: GroupVersionKind): Promise<ApiObject> {
    const key = keyOf(kind);
    const known = made.get(key);
    if (known !== undefined) return known;
    const shown = (await this.#attributes.forms?.show(object, kind)) ?? object;
    made.set(key, shown);
    return shown;
  }
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
