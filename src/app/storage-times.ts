import type { Dialect } from '../machinery/dialect.ts';
import type { GroupVersionKind } from '../machinery/schema/index.ts';
import type { StorageOperation, TellTime } from '../storage/index.ts';

/** Objects of kinds that the server does not know itself. */
const unknownType = '*unstructured.Unstructured';

/** Takes the times of a store, by type of the objects. They count from when somebody listens. */
export class StorageTimes {
  readonly #kinds: ReadonlyMap<string, GroupVersionKind>;
  readonly #root: string;
  readonly #dialect: Dialect;
  readonly #names = new Map<GroupVersionKind, string>();
  #listener: (operation: StorageOperation, type: string, seconds: number) => void = () => {};

  /** `kinds` are those of built-in objects by the prefix of their keys, which begins with `root`. */
  constructor(kinds: ReadonlyMap<string, GroupVersionKind>, root: string, dialect: Dialect) {
    this.#kinds = kinds;
    this.#root = root;
    this.#dialect = dialect;
  }

  /** What the store tells. */
  readonly tell: TellTime = (operation, key, seconds) => this.#listener(operation, this.typeOf(key), seconds);

  /** Has times told from now on. */
  listen(listener: (operation: StorageOperation, type: string, seconds: number) => void): void {
    this.#listener = listener;
  }

  /** The type of an object by its key, as release 1.20's metrics name it: `*core.Pod`. */
  typeOf(key: string): string {
    const first = key.indexOf('/', this.#root.length) + 1;
    const kind =
      this.#kinds.get(key.slice(0, key.indexOf('/', first) + 1)) ?? this.#kinds.get(key.slice(0, first));
    if (kind === undefined) return unknownType;
    let name = this.#names.get(kind);
    if (name === undefined) {
      const [library = ''] = this.#dialect.unspell(kind.group).split('.');
      name = `*${library === '' ? 'core' : library}.${kind.kind}`;
      this.#names.set(kind, name);
    }
    return name;
  }
}
