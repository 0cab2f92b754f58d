/** Where in an object something is wrong: `spec.containers[0].env[1].name`. Built cheaply, formatted only when needed. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #text: string;

  constructor(name: string, parent?: FieldPath) {
    this.#text = name;
    this.#parent = parent;
  }

  /** Path of a field below this one. Several names go down several levels. */
  child(...names: string[]): FieldPath {
    return names.reduce<FieldPath>((parent, name) => new FieldPath(`.${name}`, parent), this);
  }

  /** Path of a list item. */
  index(position: number): FieldPath {
    return new FieldPath(`[${position}]`, this);
  }

  /** Path of a map entry. */
  key(name: string): FieldPath {
    return new FieldPath(`[${name}]`, this);
  }

  toString(): string {
    const text = this.#parent === undefined ? this.#text : `${this.#parent.toString()}${this.#text}`;
    return text.startsWith('.') ? text.slice(1) : text;
  }
}

/** Starts a path: `fieldPath('spec', 'containers')`. Without names it is the object itself (an empty text). */
export function fieldPath(...names: string[]): FieldPath {
  const [first, ...rest] = names;
  return first === undefined ? new FieldPath('') : new FieldPath(first).child(...rest);
}
