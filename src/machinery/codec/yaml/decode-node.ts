import { isRawNumber, setOwn } from '../../../base/index.ts';
import { formatDouble, showSyntax } from '../../go-values/index.ts';
import { BodySyntaxError } from '../body-syntax-error.ts';
import { maxBodyDepth } from '../parse-json.ts';
import type { YamlNode } from './read-nodes.ts';
import { resolveScalar } from './resolve-scalar.ts';

/** Values with keys that need not be texts: by their type and text. */
type Fields = Map<string, { readonly key: unknown; readonly value: unknown }>;

/** Fewer aliases or values than these are never too many. */
const freeAliases = 100;
const freeValues = 1000;
/** Of so many values nearly all may come from aliases, and of so many more a tenth. */
const fewValues = 400_000;
const manyValues = 4_000_000;
/** Letters of a value that an error shows. */
const maxShown = 10_000;

/** Makes plain JSON of a document, with nothing shared. @throws BodySyntaxError */
export class NodeDecoder {
  #values = 1;
  #aliased = 0;
  #aliasDepth = 0;
  readonly #open = new Set<YamlNode>();
  /** Why JSON has no form of what was read; what cannot be read counts first. */
  #unlikeJson: BodySyntaxError | undefined;

  decode(node: YamlNode): unknown {
    const value = this.#decode(node, 0);
    if (this.#unlikeJson !== undefined) throw this.#unlikeJson;
    return value;
  }

  #decode(node: YamlNode, depth: number): unknown {
    this.#count();
    if (depth > maxBodyDepth) throw new BodySyntaxError('exceeded max depth');
    if (node.kind === 'scalar') return this.#decodeScalar(node);
    if (node.kind === 'list') return node.items.map((item) => this.#decode(item, depth + 1));
    if (node.kind === 'map') {
      const fields: Fields = new Map();
      this.#decodeFields(node.items, fields, depth);
      return this.#objectOf(fields);
    }
    return this.#follow(node, () => this.#decode(node.target, depth));
  }

  #count(): void {
    this.#values++;
    if (this.#aliasDepth > 0) this.#aliased++;
    if (this.#aliased <= freeAliases || this.#values <= freeValues) return;
    const much = Math.min(1, Math.max(0, (this.#values - fewValues) / (manyValues - fewValues)));
    if (this.#aliased / this.#values > 0.99 - 0.89 * much)
      throw new BodySyntaxError('yaml: document contains excessive aliasing');
  }

  #follow<Result>(node: Extract<YamlNode, { kind: 'alias' }>, decode: () => Result): Result {
    if (this.#open.has(node)) throw new BodySyntaxError(`yaml: anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    this.#aliasDepth++;
    const result = decode();
    this.#aliasDepth--;
    this.#open.delete(node);
    return result;
  }

  #decodeScalar({ tag, text, isPlain }: Extract<YamlNode, { kind: 'scalar' }>): unknown {
    const value = tag === '' && !isPlain ? text : resolveScalar(tag, text);
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    this.#unlikeJson ??= new BodySyntaxError(`json: unsupported value: ${shown}`);
    return null;
  }

  /** Later fields win over earlier ones, merged or not. */
  #decodeFields(items: readonly YamlNode[], fields: Fields, depth: number): void {
    for (let at = 0; at < items.length; at += 2) {
      const keyNode = items[at];
      const valueNode = items[at + 1];
      if (keyNode === undefined || valueNode === undefined) continue;
      if (isMerge(keyNode)) {
        this.#merge(valueNode, fields, depth + 1);
        continue;
      }
      const key = this.#decodeKey(keyNode, depth + 1);
      const value = this.#decode(valueNode, depth + 1);
      fields.set(`${typeof key} ${String(key)}`, { key, value });
    }
  }

  #decodeKey(node: YamlNode, depth: number): unknown {
    if (node.kind === 'scalar') {
      this.#count();
      // Numbers that JSON has not can be keys.
      return node.tag === '' && !node.isPlain ? node.text : resolveScalar(node.tag, node.text);
    }
    const key = this.#decode(node, depth);
    if (typeof key === 'object' && key !== null && !isRawNumber(key))
      throw new BodySyntaxError(`yaml: invalid map key: ${show(key)}`);
    return key;
  }

  #merge(node: YamlNode, fields: Fields, depth: number): void {
    if (node.kind === 'list') {
      // Earlier ones win.
      for (const item of node.items.toReversed()) this.#mergeOne(item, fields, depth);
    } else this.#mergeOne(node, fields, depth);
  }

  #mergeOne(node: YamlNode, fields: Fields, depth: number): void {
    const map = node.kind === 'alias' ? node.target : node;
    if (map.kind !== 'map')
      throw new BodySyntaxError('yaml: map merge requires map or sequence of maps as the value');
    if (depth > maxBodyDepth) throw new BodySyntaxError('exceeded max depth');
    this.#count();
    const decode = (): void => this.#decodeFields(map.items, fields, depth);
    if (node.kind !== 'alias') decode();
    else
      this.#follow(node, () => {
        this.#count();
        decode();
      });
  }

  #keyText(key: unknown, value: unknown): string {
    const text = keyText(key, value);
    if (typeof text === 'string') return text;
    this.#unlikeJson ??= text;
    return '';
  }

  #objectOf(fields: Fields): Record<string, unknown> {
    const entries = [...fields.values()].map(({ key, value }): [string, unknown] => [
      this.#keyText(key, value),
      value,
    ]);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const out: Record<string, unknown> = {};
    for (const [key, value] of entries) setOwn(out, key, value);
    return out;
  }
}

const isMerge = (node: YamlNode): boolean =>
  node.kind === 'scalar' &&
  node.text === '<<' &&
  (node.isPlain || node.tag === '!' || node.tag === 'tag:yaml.org,2002:merge');

/** The text of a key, or Go's words for one that JSON has no text for. */
function keyText(key: unknown, value: unknown): string | BodySyntaxError {
  if (typeof key === 'string') return key;
  if (isRawNumber(key)) {
    const size = BigInt(key.rawJSON);
    if (size < 2n ** 63n) return key.rawJSON;
    return unsupportedKey('uint64', `0x${size.toString(16)}`, value);
  }
  if (typeof key === 'number') return numberText(key);
  if (typeof key === 'boolean') return String(key);
  return unsupportedKey('%!s(<nil>)', '<nil>', value);
}

function unsupportedKey(type: string, key: string, value: unknown): BodySyntaxError {
  const shown = value === null ? '<nil>' : show(value);
  return new BodySyntaxError(`Unsupported map key of type: ${type}, key: ${key}, value: ${shown}`);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatDouble(roundToSingle(value));
}

/** The double with the shortest digits that read as the same number of 32 bits. */
function roundToSingle(value: number): number {
  const single = Math.fround(value);
  for (let digits = 0; digits < 9; digits++) {
    const short = Number(single.toExponential(digits));
    if (Math.fround(short) === single) return short;
  }
  return single;
}

function show(value: unknown): string {
  const text = showSyntax(value, 'map[interface {}]interface {}');
  return text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
}
