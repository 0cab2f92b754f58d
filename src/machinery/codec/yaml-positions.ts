import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_SINGLE_QUOTED,
} from 'js-yaml';
import { maxBodyDepth } from './parse-json.ts';

/** A place in a text, both from 1; a tab and a letter are one column each. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Keys of maps and positions in lists, from the root. */
export type YamlPath = readonly (string | number)[];

/** A value of the text with what is below it. Values that several aliases name are one node. */
interface Node {
  readonly fields: Map<string, { readonly at: number; readonly node: Node }>;
  readonly items: { readonly at: number; readonly node: Node }[];
  /** What `<<` brings in; the first that has a key wins. */
  readonly merged: Node[];
}

/**
 * Where fields of the first document stand: at the key of a map's field, at the beginning of a list's element. A field that is
 * not there stands where the nearest one above it does. Of equal keys the last counts, as for parsers. JSON is YAML, too.
 * Nothing is found in text that is not YAML.
 */
export function locateYamlFields(
  text: string,
  paths: readonly YamlPath[],
): readonly (TextPosition | undefined)[] {
  let events: readonly Event[];
  try {
    events = parseEvents(text, { maxDepth: maxBodyDepth });
  } catch {
    return paths.map(() => undefined); // who reads the values says why
  }
  const root = new TreeBuilder(text, events).build();
  const starts = lineStarts(text);
  return paths.map((path) => positionOf(starts, offsetOf(root, path)));
}

function offsetOf(root: { readonly at: number; readonly node: Node }, path: YamlPath): number {
  let place = root;
  for (const step of path) {
    const next = stepInto(place.node, step, new Set());
    if (next === undefined) break;
    place = next;
  }
  return place.at;
}

/** `seen` ends circles of merges. */
function stepInto(node: Node, step: string | number, seen: Set<Node>): Node['items'][number] | undefined {
  if (typeof step === 'number') return node.items[step];
  const own = node.fields.get(step);
  if (own !== undefined || seen.has(node)) return own;
  seen.add(node);
  for (const merged of node.merged) {
    // A list of maps may be merged, too.
    for (const source of [merged, ...merged.items.map((item) => item.node)]) {
      const found = stepInto(source, step, seen);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Where lines begin. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionOf(starts: readonly number[], offset: number): TextPosition {
  let [first, end] = [0, starts.length];
  while (end - first > 1) {
    const middle = (first + end) >>> 1;
    if ((starts[middle] ?? 0) <= offset) first = middle;
    else end = middle;
  }
  return { line: first + 1, column: offset - (starts[first] ?? 0) + 1 };
}

const newNode = (): Node => ({ fields: new Map(), items: [], merged: [] });

/** Makes the tree of a document of what the parser reports; its size is that of the text, aliases are references. */
class TreeBuilder {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, Node>();
  #next = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  build(): { readonly at: number; readonly node: Node } {
    while (this.#events[this.#next]?.type === EVENT_DOCUMENT) this.#next++;
    const first = this.#events[this.#next];
    const at = first === undefined ? 0 : offsetOfEvent(first);
    return { at, node: this.#readNode() };
  }

  #readNode(): Node {
    const event = this.#events[this.#next++];
    if (event === undefined || event.type === EVENT_POP || event.type === EVENT_DOCUMENT) return newNode();
    const anchor = this.#text.slice(Math.max(0, event.anchorStart), Math.max(0, event.anchorEnd));
    if (event.type === EVENT_ALIAS) return this.#anchors.get(anchor) ?? newNode();
    const node = newNode();
    if (anchor !== '') this.#anchors.set(anchor, node);
    if (event.type === EVENT_SCALAR) return node;
    while (this.#hasMore()) {
      if (event.type === EVENT_MAPPING) this.#readField(node);
      else node.items.push({ at: this.#offset(), node: this.#readNode() });
    }
    return node;
  }

  /** Whether the open collection goes on; its end is taken. */
  #hasMore(): boolean {
    const event = this.#events[this.#next];
    if (event !== undefined && event.type !== EVENT_POP) return true;
    this.#next++;
    return false;
  }

  #readField(node: Node): void {
    const key = this.#events[this.#next];
    const at = this.#offset();
    this.#readNode();
    const value = this.#readNode();
    if (key?.type !== EVENT_SCALAR) return;
    const name = getScalarValue(this.#text, key);
    // In quotes it is a key like any other.
    if (name === '<<' && this.#text[at] === '<') node.merged.push(value);
    else node.fields.set(name, { at, node: value });
  }

  #offset(): number {
    const event = this.#events[this.#next];
    return event === undefined ? this.#text.length : offsetOfEvent(event);
  }
}

function offsetOfEvent(event: Event): number {
  if (event.type === EVENT_SCALAR) {
    const isQuoted = event.style === SCALAR_STYLE_DOUBLE_QUOTED || event.style === SCALAR_STYLE_SINGLE_QUOTED;
    return Math.max(0, isQuoted ? event.valueStart - 1 : event.valueStart);
  }
  if (event.type === EVENT_ALIAS) return Math.max(0, event.anchorStart - 1);
  return 'start' in event ? Math.max(0, event.start) : 0;
}
