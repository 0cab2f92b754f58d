import {
  binaryTag,
  defineScalarTag,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  realMapTag,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from 'js-yaml';
import { isRawNumber, rawNumber, setOwn } from '../../base/index.ts';
import { showSyntax } from '../go-values/index.ts';
import { BodySyntaxError } from './body-syntax-error.ts';
import { maxBodyDepth } from './parse-json.ts';
import { findUtf8Fault } from './utf8-fault.ts';
import { indentContinuations } from './yaml-continuations.ts';
import { behindDocument, describeYamlError, placeOfYamlError } from './yaml-reasons.ts';

const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);
const truths = new Set('y Y yes Yes YES true True TRUE on On ON'.split(' '));
const falsehoods = new Set('n N no No NO false False FALSE off Off OFF'.split(' '));
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(\d+))$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const noInteger = /^[-+]?0\d*[89]/;
const infinity = /^[-+]?\.(?:inf|Inf|INF)$/;

/** Numbers as go-yaml 2 takes them: YAML 1.1 with `0o` octals, without base 60. */
function resolveNumber(source: string): unknown {
  const plain = source.replaceAll('_', '');
  const match = plain.length > longestInteger ? null : integer.exec(plain);
  const exact = match === null || noInteger.test(plain) ? undefined : integerOf(match);
  if (exact !== undefined) return exact;
  if (float.test(plain)) {
    const double = Number(plain);
    return Number.isFinite(double) ? double : NOT_RESOLVED;
  }
  if (infinity.test(source)) return source.startsWith('-') ? -Infinity : Infinity;
  return source === '.nan' || source === '.NaN' || source === '.NAN' ? NaN : NOT_RESOLVED;
}

/** Undefined for one beyond 64 bits, which is a double, or text where its digits are not decimal. */
function integerOf(match: RegExpExecArray): unknown {
  const [, sign, hex, binary, octal, decimal] = match;
  const size = BigInt(hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (decimal ?? '0'));
  const value = sign === '-' ? -size : size;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return value < 2n ** 64n && value >= -(2n ** 63n) ? rawNumber(String(value)) : undefined;
}

/** Longer ones have more than 64 bits. Reading their digits costs more than their length. */
const longestInteger = 100;

const never = (): boolean => false;
let schema: Schema | undefined;

/** Made when the first document comes: what only writes needs nothing of the library. */
function goSchema(): Schema {
  schema ??= new Schema([
    strTag,
    seqTag,
    realMapTag,
    mergeTag,
    binaryTag,
    defineScalarTag('tag:yaml.org,2002:null', {
      implicit: true,
      resolve: (source) => (nulls.has(source) ? null : NOT_RESOLVED),
      identify: never,
    }),
    defineScalarTag('tag:yaml.org,2002:bool', {
      implicit: true,
      resolve: (source) => (truths.has(source) ? true : falsehoods.has(source) ? false : NOT_RESOLVED),
      identify: never,
    }),
    defineScalarTag('tag:yaml.org,2002:int', {
      implicit: true,
      implicitFirstChars: [...'+-.0123456789'],
      resolve: resolveNumber,
      identify: never,
    }),
    defineScalarTag('tag:yaml.org,2002:float', { resolve: resolveNumber, identify: never }),
    defineScalarTag('tag:yaml.org,2002:timestamp', { resolve: (source) => source, identify: never }),
    // Tags that nobody knows say nothing.
    defineScalarTag('', { matchByTagPrefix: true, resolve: (source) => source, identify: never }),
    { ...seqTag, tagName: '', matchByTagPrefix: true },
    { ...realMapTag, tagName: '', matchByTagPrefix: true },
  ]);
  return schema;
}

/** Nodes that aliases may add beyond what the text itself can hold. */
const aliasAllowance = 100_000;

/**
 * Parses the first YAML document as the converter of sigs yaml does (go-yaml 2): keys become strings in sorted order,
 * the last of equal keys wins, timestamps stay text. No document means null. JSON is YAML, too.
 *
 * @throws BodySyntaxError whose message starts with `yaml: `.
 */
export function parseYaml(bytes: Buffer): unknown {
  const fault = findUtf8Fault(bytes);
  if (fault !== undefined) throw new BodySyntaxError(`yaml: ${fault}`);
  const text = firstDocument(bytes.toString('utf8'));
  let documents: unknown[];
  try {
    documents = readDocuments(text);
  } catch (error) {
    throw new BodySyntaxError(`yaml: ${describeYamlError(error, text)}`, placeOfYamlError(error));
  }
  return new YamlConverter(text.length + aliasAllowance).convert(documents[0] ?? null, 0);
}

/** The text up to the marker that ends its first document: go-yaml reads no further. */
function firstDocument(text: string): string {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm;
  const first = marker.exec(text);
  if (first === null) return text;
  const isBegun = /^[ \t]*[^\s#%\ufeff]/m.test(text.slice(0, first.index));
  return text.slice(0, isBegun ? first.index : (marker.exec(text)?.index ?? text.length));
}

/** Letters of texts that are read again, each time with a part of them moved. */
const maxReadAgain = 8_000_000;

function readDocuments(text: string): unknown[] {
  let source = text;
  for (let read = 0; read <= maxReadAgain; read += source.length) {
    try {
      return readAsFarAsPossible(source);
    } catch (error) {
      const moved = indentContinuations(source, error);
      if (moved === undefined || moved === source) throw error;
      source = moved;
    }
  }
  return readAsFarAsPossible(source);
}

/** A document may also end without a marker, where its node does; what comes then is not looked at. */
function readAsFarAsPossible(text: string): unknown[] {
  const options = { schema: goSchema(), json: true, maxDepth: maxBodyDepth };
  try {
    return loadAll(text, options);
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== behindDocument) throw error;
    const end = error.mark?.position ?? 0;
    // What is in brackets or quotes has an end of its own; anything else ends where something is wrong with it.
    if (!/[}\]"']\s*$/.test(text.slice(0, end))) throw error;
    return loadAll(text.slice(0, end), options);
  }
}

/** Letters of a value that an error shows. */
const maxShown = 10_000;

/** Turns what the YAML reader makes (maps, shared nodes) into plain JSON with nothing shared. */
class YamlConverter {
  #left: number;

  /** At most `limit` nodes are made: aliases of aliases grow without bound. */
  constructor(limit: number) {
    this.#left = limit;
  }

  convert(value: unknown, depth: number): unknown {
    this.#left--;
    if (this.#left < 0) throw new BodySyntaxError('yaml: document contains excessive aliasing');
    if (depth > maxBodyDepth) throw new BodySyntaxError('exceeded max depth');
    if (value instanceof Map) return this.#convertMap(value, depth);
    if (typeof value === 'string') return wellFormed(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.convert(item, depth + 1));
    // go-yaml 2 hands binary data on as a string of its bytes.
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new BodySyntaxError(`json: unsupported value: ${formatNonFinite(value)}`);
    }
    return value;
  }

  #convertMap(map: Map<unknown, unknown>, depth: number): Record<string, unknown> {
    const entries = [...map].map(([key, value]): [string, unknown] => [
      this.#keyText(key, value, depth + 1),
      value,
    ]);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const out: Record<string, unknown> = {};
    for (const [key, value] of entries) setOwn(out, key, this.convert(value, depth + 1));
    return out;
  }

  /** @throws BodySyntaxError with Go's words for a key that JSON has no text for */
  #keyText(key: unknown, value: unknown, depth: number): string {
    if (typeof key === 'string') return wellFormed(key);
    if (isRawNumber(key)) return key.rawJSON;
    if (typeof key === 'number' || typeof key === 'boolean') return String(key);
    if (key !== null) throw new BodySyntaxError(`yaml: invalid map key: ${this.#show(key, depth)}`);
    const shown = value === null ? '<nil>' : this.#show(value, depth);
    throw new BodySyntaxError(`Unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
  }

  #show(value: unknown, depth: number): string {
    const text = showSyntax(this.convert(value, depth), 'map[interface {}]interface {}');
    return text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
  }
}

/** Where half a character comes from an escape. @throws BodySyntaxError */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new BodySyntaxError('yaml: found invalid Unicode character escape code');
}

function formatNonFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
