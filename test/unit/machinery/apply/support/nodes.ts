import { defaultNumber, type Shape } from './shape.ts';

type Json = Record<string, unknown>;

/** One place in an object: a value that is owned as a whole, or an object or list that others are in. */
export interface Node {
  readonly parent: string;
  /** The last part of the path: `f:a`, `k:{"k":"p"}`, `v:"p"`. */
  readonly part: string;
  readonly form: 'leaf' | 'object' | 'list';
  /** Of leaves. */
  readonly value?: unknown;
  /** An apply that has it says so: leaves, list items and entries of maps, but not declared objects and lists. */
  readonly isNamed: boolean;
  /** The type says what is in it; objects without declared fields, and their members, hold whatever they do. */
  readonly isDeclared: boolean;
}

/** All places of an object by their path as text, parents before what is in them, items in their order. */
export type Nodes = ReadonlyMap<string, Node>;

/** Between the parts of a path; no name in the tests has it. */
export const separator = ' / ';

/** Takes an object of a type apart. */
export function nodesOf(shape: Shape, object: unknown): Map<string, Node> {
  const nodes = new Map<string, Node>();
  spreadBelow(shape, object, { path: '', isDeclared: true }, nodes);
  return nodes;
}

interface Place {
  readonly parent: string;
  readonly part: string;
  /** It is an item or an entry rather than a declared field. */
  readonly isItem: boolean;
  readonly isDeclared: boolean;
}

function spread(shape: Shape, value: unknown, place: Place, nodes: Map<string, Node>): void {
  const { parent, part, isItem, isDeclared } = place;
  const path = parent === '' ? part : `${parent}${separator}${part}`;
  switch (shape.kind) {
    case 'scalar':
    case 'atomicList':
    case 'atomicMap':
      nodes.set(path, { parent, part, form: 'leaf', value, isNamed: true, isDeclared });
      return;
    default:
      nodes.set(path, {
        parent,
        part,
        form: Array.isArray(value) ? 'list' : 'object',
        isNamed: isItem,
        isDeclared: isDeclared && shape.kind !== 'open',
      });
      // An emptied one holds nothing.
      if (value !== null) spreadBelow(shape, value, { path, isDeclared }, nodes);
  }
}

function spreadBelow(
  shape: Shape,
  value: unknown,
  { path: parent, isDeclared }: { readonly path: string; readonly isDeclared: boolean },
  nodes: Map<string, Node>,
): void {
  // The values come from the shape, or were checked against it.
  switch (shape.kind) {
    case 'struct':
      for (const [name, of] of Object.entries(shape.fields)) {
        const object = value as Json;
        if (!Object.hasOwn(object, name)) continue;
        spread(of, object[name], { parent, part: `f:${name}`, isItem: false, isDeclared }, nodes);
      }
      return;
    case 'map':
    case 'open':
      for (const [name, entry] of Object.entries(value as Json)) {
        const isTyped = isDeclared && shape.kind === 'map';
        spread(shape.of, entry, { parent, part: `f:${name}`, isItem: true, isDeclared: isTyped }, nodes);
      }
      return;
    case 'set':
      for (const item of value as string[]) {
        spread({ kind: 'scalar' }, item, { parent, part: `v:"${item}"`, isItem: true, isDeclared }, nodes);
      }
      return;
    case 'keyed':
    case 'twoKeys':
      for (const item of value as { k: string; n?: number }[]) {
        const second = shape.kind === 'twoKeys' ? `,"n":${item.n ?? defaultNumber}` : '';
        const part = `k:{"k":"${item.k}"${second}}`;
        const scalar: Shape = { kind: 'scalar' };
        const struct: Shape = { kind: 'struct', fields: { k: scalar, n: scalar, v: shape.of } };
        spread(struct, item, { parent, part, isItem: true, isDeclared }, nodes);
      }
  }
}

/** Puts an object together from its places. */
export function objectOf(nodes: Nodes): Json {
  const root: Json = {};
  const made = new Map<string, unknown>([['', root]]);
  for (const [path, { parent, part, form, value }] of nodes) {
    const own = form === 'leaf' ? value : form === 'list' ? [] : {};
    made.set(path, own);
    const holder = made.get(parent);
    if (Array.isArray(holder)) holder.push(own);
    else {
      // What is no list is an object. Names such as `__proto__` are names too.
      Object.defineProperty(holder as Json, part.slice(2), {
        value: own,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return root;
}

/** The path as messages show it. */
export function showPath(path: string): string {
  const shown = path.split(separator).map((part) => {
    const rest = part.slice(2);
    if (part.startsWith('f:')) return `.${rest}`;
    if (part.startsWith('v:')) return `[=${rest}]`;
    const keys = Object.entries(JSON.parse(rest) as Json);
    return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
  });
  return shown.join('');
}
