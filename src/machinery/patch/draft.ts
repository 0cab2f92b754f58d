import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../base/index.ts';
import { quoteGo } from '../errors/index.ts';
import { PatchError } from './patch-error.ts';

/** An object or a list: what a pointer can lead through. */
type Container = JsonObject | unknown[];

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isJsonObject(value);

/**
 * A document under change. Containers are copied when first written to and changed in place from then on, so that
 * the original stays as it was, untouched parts are shared with it, and many operations cost one copy.
 */
export class Draft {
  #root: unknown;
  /** Containers that this draft made. Each is reachable on one way only, so that writing to it changes one place. */
  readonly #own = new WeakSet<object>();
  /** Containers that pointers led through. */
  readonly #opened = new WeakSet<object>();

  constructor(document: unknown) {
    this.#root = document;
  }

  /**
   * The document as evanphx/json-patch writes it: the members of what was opened are sorted by name, what was not keeps its
   * text.
   */
  get result(): unknown {
    if (isContainer(this.#root)) this.#opened.add(this.#root);
    return this.written(this.#root);
  }

  /** The same for a part of the document. */
  written(value: unknown): unknown {
    if (!isContainer(value) || !this.#opened.has(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.written(item));
    const sorted: JsonObject = {};
    for (const name of Object.keys(value).sort()) setOwn(sorted, name, this.written(value[name]));
    return sorted;
  }

  /** Opens a part of the document and all in it, as comparing does. */
  open(value: unknown): void {
    if (!isContainer(value)) return;
    this.#opened.add(value);
    for (const member of Object.values(value)) this.open(member);
  }

  /**
   * The container that holds the last name of `names`, or undefined when the way there does not exist. Without names that is
   * the whole document, which nothing holds.
   */
  findParent(names: readonly string[]): Container | undefined {
    let node: unknown = names.length === 0 ? undefined : this.#root;
    for (const name of names.slice(0, -1)) {
      if (!isContainer(node)) return undefined;
      this.#opened.add(node);
      node = memberOrNothing(node, name);
    }
    if (!isContainer(node)) return undefined;
    this.#opened.add(node);
    return node;
  }

  /** Like `findParent`, ready to be written to. */
  writableParent(names: readonly string[]): Container | undefined {
    if (this.findParent(names) === undefined) return undefined;
    let node = this.#claim(this.#root, (copy) => {
      this.#root = copy;
    });
    for (const name of names.slice(0, -1)) {
      const parent = node;
      node = this.#claim(readMember(parent, name), (copy) => storeMember(parent, name, copy));
    }
    return node;
  }

  #claim(value: unknown, store: (copy: Container) => void): Container {
    if (!isContainer(value)) throw new TypeError('a way that was found must lead through containers');
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    this.#opened.add(copy);
    store(copy);
    return copy;
  }
}

/**
 * A member of an object, undefined when it has none, or an item of a list.
 *
 * @throws PatchError `missing-path` for an item that is not there.
 */
export function readMember(container: Container, name: string): unknown {
  if (!Array.isArray(container)) return ownValue(container, name);
  return container[listIndex(name, container.length, container.length - 1)];
}

function memberOrNothing(container: Container, name: string): unknown {
  try {
    return readMember(container, name);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/** Replaces an item, or sets a member. @throws PatchError `missing-path` for an item that is not there. */
export function storeMember(container: Container, name: string, value: unknown): void {
  if (Array.isArray(container)) {
    container[listIndex(name, container.length, container.length - 1)] = value;
  } else setOwn(container, name, value);
}

/** Inserts an item (`-` is behind the last one), or sets a member. @throws PatchError for an index out of range. */
export function insertMember(container: Container, name: string, value: unknown): void {
  if (!Array.isArray(container)) setOwn(container, name, value);
  else if (name === '-') container.push(value);
  else container.splice(insertionIndex(name, container.length), 0, value);
}

function insertionIndex(name: string, length: number): number {
  if (indexProblem(name) === undefined) return listIndex(name, length + 1, length);
  const text = `value was not a proper array index: '${name}': ${indexProblem(name)}`;
  throw new PatchError('bad-operation', text);
}

/** Takes an item or member out. @throws PatchError `missing-path` when it is not there. */
export function removeMember(container: Container, name: string): void {
  if (Array.isArray(container)) {
    container.splice(listIndex(name, container.length, container.length - 1), 1);
  } else if (isJsonObject(container) && Object.hasOwn(container, name)) delete container[name];
  else throw new PatchError('missing-path', `Unable to remove nonexistent key: ${name}: missing value`);
}

/** Index of a list; -1 counts from the end, -`size` is the first, as in evanphx/json-patch. */
function listIndex(name: string, size: number, last: number): number {
  const problem = indexProblem(name);
  if (problem !== undefined) throw new PatchError('bad-operation', problem);
  const index = Number(name);
  if (index > last || index < -size) {
    const text = `Unable to access invalid index: ${BigInt(name)}: invalid index referenced`;
    throw new PatchError('missing-path', text);
  }
  return index < 0 ? index + size : index;
}

/** Why Go's `strconv.Atoi` does not take a text; undefined when it does. */
function indexProblem(name: string): string | undefined {
  const [, digits] = /^[+-]?0*(\d+)$/.exec(name) ?? [];
  const isSmall =
    digits !== undefined && digits.length < 20 && BigInt.asIntN(64, BigInt(name)) === BigInt(name);
  if (isSmall) return undefined;
  const problem = digits === undefined ? 'invalid syntax' : 'value out of range';
  return `strconv.Atoi: parsing ${quoteGo(name)}: ${problem}`;
}
