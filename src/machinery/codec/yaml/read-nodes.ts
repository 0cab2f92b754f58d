import { BodySyntaxError } from '../body-syntax-error.ts';
import { yamlFault } from './cursor.ts';
import { Scanner } from './scanner.ts';
import type { Token } from './token.ts';
import type { YamlText } from './yaml-text.ts';

/** A value of a document. Maps have their keys and values in turn. */
export type YamlNode =
  | { readonly kind: 'scalar'; readonly text: string; readonly tag: string; readonly isPlain: boolean }
  | { readonly kind: 'list'; readonly items: YamlNode[] }
  | { readonly kind: 'map'; readonly items: YamlNode[] }
  | { readonly kind: 'alias'; readonly name: string; readonly target: YamlNode };

type Type = Token['type'];
type Collection = Extract<YamlNode, { items: unknown }>;

/** A collection whose end has not come. */
interface Open {
  readonly style: 'block-list' | 'dashes' | 'block-map' | '[' | 'pair' | '{';
  readonly items: YamlNode[];
  /** The last key has no value, in brackets. */
  isBare?: boolean;
}

interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string;
}

const nothing: YamlNode = { kind: 'scalar', text: '', tag: '', isPlain: true };
const documentEdges = new Set<Type>([
  'version',
  'tag-directive',
  'document-start',
  'document-end',
  'stream-end',
]);
const endsItem = new Set<Type>(['-', 'block-end']);
const endsDash = new Set<Type>(['-', '?', ':', 'block-end']);
const endsField = new Set<Type>(['?', ':', 'block-end']);

/** The first document of a text; undefined when it has none. @throws BodySyntaxError */
export const readFirstNode = (text: YamlText): YamlNode | undefined => new NodeReader(text).read();

class NodeReader {
  readonly #scanner: Scanner;
  readonly #prefixes = new Map<string, string>();
  readonly #anchors = new Map<string, YamlNode>();
  readonly #open: Open[] = [];

  constructor(text: YamlText) {
    this.#scanner = new Scanner(text);
  }

  read(): YamlNode | undefined {
    const first = this.#next();
    if (first === 'stream-end') return undefined;
    const isMarked = first === 'version' || first === 'tag-directive' || first === 'document-start';
    this.#readDirectives();
    if (isMarked) {
      if (this.#next() !== 'document-start') this.#fail('did not find expected <document start>');
      this.#scanner.take();
    }
    const isEmpty = isMarked && documentEdges.has(this.#next());
    const node = isEmpty ? nothing : this.#start(true, false);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) this.#goOn(open);
    this.#scanner.peek();
    return node;
  }

  #next(): Type {
    return this.#scanner.peek().type;
  }

  #fail(problem: string): never {
    throw yamlFault(problem, this.#scanner.peek().start);
  }

  #readDirectives(): void {
    let hasVersion = false;
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'version') {
        if (hasVersion) this.#fail('found duplicate %YAML directive');
        if (token.text !== '1.1') this.#fail('found incompatible YAML document');
        hasVersion = true;
      } else if (token.type === 'tag-directive') {
        if (this.#prefixes.has(token.handle)) this.#fail('found duplicate %TAG directive');
        this.#prefixes.set(token.handle, token.prefix);
      } else break;
      this.#scanner.take();
    }
    if (!this.#prefixes.has('!')) this.#prefixes.set('!', '!');
    if (!this.#prefixes.has('!!')) this.#prefixes.set('!!', 'tag:yaml.org,2002:');
  }

  /** Begins a value; collections stay open. `isBlock` outside of brackets. */
  #start(isBlock: boolean, mayBeDashes: boolean): YamlNode {
    const first = this.#scanner.peek();
    if (first.type === 'alias') {
      this.#scanner.take();
      const target = this.#anchors.get(first.name);
      if (target === undefined) throw new BodySyntaxError(`yaml: unknown anchor '${first.name}' referenced`);
      return { kind: 'alias', name: first.name, target };
    }
    const { anchor, tag } = this.#readProperties();
    const node = this.#startContent(isBlock, mayBeDashes, { anchor, tag });
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #readProperties(): Properties {
    let anchor: string | undefined;
    let tag: string | undefined;
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.type === 'tag' && tag === undefined) {
        const { start, handle, suffix } = token;
        // What comes next is looked at before the tag is.
        this.#scanner.take();
        const next = this.#scanner.peek();
        if (next.type === 'anchor' && anchor === undefined) {
          anchor = next.name;
          this.#scanner.take();
          this.#scanner.peek();
        }
        const prefix = handle === '' ? '' : this.#prefixes.get(handle);
        tag = (prefix ?? '') + suffix;
        if (prefix === undefined || tag === '') throw yamlFault('found undefined tag handle', start);
        break;
      } else break;
      this.#scanner.take();
    }
    return { anchor, tag: tag ?? '' };
  }

  #startContent(isBlock: boolean, mayBeDashes: boolean, { anchor, tag }: Properties): YamlNode {
    const token = this.#scanner.peek();
    if (mayBeDashes && token.type === '-') return this.#openAs('list', 'dashes');
    if (token.type === 'scalar') {
      this.#scanner.take();
      return { kind: 'scalar', text: token.text, tag, isPlain: tag === '' ? token.isPlain : tag === '!' };
    }
    if (token.type === '[' || (isBlock && token.type === 'block-list')) {
      this.#scanner.take();
      return this.#openAs('list', token.type);
    }
    if (token.type === '{' || (isBlock && token.type === 'block-map')) {
      this.#scanner.take();
      return this.#openAs('map', token.type);
    }
    if (anchor === undefined && tag === '') this.#fail('did not find expected node content');
    return { kind: 'scalar', text: '', tag, isPlain: tag === '' };
  }

  #openAs(kind: Collection['kind'], style: Open['style']): YamlNode {
    const items: YamlNode[] = [];
    this.#open.push({ style, items });
    return { kind, items };
  }

  /** Reads the next key, value or element of a collection, or its end. */
  #goOn(open: Open): void {
    if (open.style === 'block-list') this.#goOnList(open);
    else if (open.style === 'dashes') this.#goOnDashes(open);
    else if (open.style === 'block-map') this.#goOnMap(open);
    else if (open.style === '[') this.#goOnFlowList(open);
    else if (open.style === 'pair') this.#goOnPair(open);
    else if (open.items.length % 2 === 0) this.#goOnFlowKey(open);
    else this.#goOnFlowValue(open);
  }

  #close(): void {
    this.#scanner.take();
    this.#open.pop();
  }

  /** What comes behind a sign that has been taken. */
  #blockItem(ends: ReadonlySet<Type>, mayBeDashes: boolean): YamlNode {
    return ends.has(this.#next()) ? nothing : this.#start(true, mayBeDashes);
  }

  #goOnList({ items }: Open): void {
    if (this.#next() === 'block-end') this.#close();
    else if (this.#next() !== '-') this.#fail("did not find expected '-' indicator");
    else {
      this.#scanner.take();
      items.push(this.#blockItem(endsItem, false));
    }
  }

  #goOnDashes({ items }: Open): void {
    if (this.#next() !== '-') this.#open.pop();
    else {
      this.#scanner.take();
      items.push(this.#blockItem(endsDash, false));
    }
  }

  #goOnMap({ items }: Open): void {
    const isValue = items.length % 2 === 1;
    if (this.#next() === (isValue ? ':' : '?')) {
      this.#scanner.take();
      items.push(this.#blockItem(endsField, true));
    } else if (isValue) items.push(nothing);
    else if (this.#next() === 'block-end') this.#close();
    else this.#fail('did not find expected key');
  }

  #goOnFlowList({ items }: Open): void {
    if (this.#next() !== ']') {
      if (items.length > 0) this.#takeComma(']');
      if (this.#next() === '?') {
        this.#scanner.take();
        items.push(this.#openAs('map', 'pair'));
        return;
      }
      if (this.#next() !== ']') {
        items.push(this.#start(false, false));
        return;
      }
    }
    this.#close();
  }

  #takeComma(end: string): void {
    if (this.#next() !== ',') this.#fail(`did not find expected ',' or '${end}'`);
    this.#scanner.take();
  }

  /** A map of one pair, which needs no braces in a list. */
  #goOnPair({ items }: Open): void {
    if (items.length === 2) this.#open.pop();
    else if (items.length === 1) items.push(this.#flowValue(']'));
    else if (this.#next() !== ':' && this.#next() !== ',' && this.#next() !== ']') {
      items.push(this.#start(false, false));
    } else {
      this.#scanner.take();
      items.push(nothing);
    }
  }

  #goOnFlowKey(open: Open): void {
    if (this.#next() !== '}') {
      if (open.items.length > 0) this.#takeComma('}');
      if (this.#next() === '?') {
        this.#scanner.take();
        const isEmpty = this.#next() === ':' || this.#next() === ',' || this.#next() === '}';
        open.isBare = false;
        open.items.push(isEmpty ? nothing : this.#start(false, false));
        return;
      }
      if (this.#next() !== '}') {
        open.isBare = true;
        open.items.push(this.#start(false, false));
        return;
      }
    }
    this.#close();
  }

  #goOnFlowValue({ items, isBare }: Open): void {
    this.#scanner.peek();
    items.push(isBare ? nothing : this.#flowValue('}'));
  }

  #flowValue(end: ']' | '}'): YamlNode {
    if (this.#next() !== ':') return nothing;
    this.#scanner.take();
    return this.#next() === ',' || this.#next() === end ? nothing : this.#start(false, false);
  }
}
