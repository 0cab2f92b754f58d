/** Where in an object something is wrong: `spec.containers[0].env[1].name`. Built cheaply, formatted only when needed. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string | number;
  readonly #isKey: boolean;

  constructor(step: string | number, parent?: FieldPath, isKey = false) {
    this.#step = step;
    this.#parent = parent;
    this.#isKey = isKey;
  }

  /** Path of a field below this one. Several names go down several levels. */
  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = new FieldPath(name, path);
    return path;
  }

  /** Path of a list item. */
  index(position: number): FieldPath {
    return new FieldPath(position, this);
  }

  /** Path of a map entry. */
  key(name: string): FieldPath {
    return new FieldPath(name, this, true);
  }

  /** Made only when something is wrong: most paths are of fields that are right. */
  toString(): string {
    const step = this.#step;
    const parent = this.#parent;
    if (parent === undefined) return String(step);
    const head = parent.toString();
    if (this.#isKey || typeof step === 'number') return `${head}[${step}]`;
    return head === '' ? step : `${head}.${step}`;
  }
}

/** Starts a path: `fieldPath('spec', 'containers')`. Without names it is the object itself (an empty text). */
export function fieldPath(...names: string[]): FieldPath {
  const [first, ...rest] = names;
  return first === undefined ? new FieldPath('') : new FieldPath(first).child(...rest);
}
