import { isJsonObject, parseExact, setOwn } from '../../../base/index.ts';
import { emptyFieldSet, type FieldSet } from '../fieldpath/field-set.ts';
import { differenceOf } from '../fieldpath/set-algebra.ts';
import type { TypedObject } from '../merge/managers.ts';
import { compareTyped } from '../typed/compare.ts';
import { TypedError } from '../typed/list-items.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { validateTyped } from '../typed/validate.ts';
import { canonicalText } from '../value/index.ts';

function annotationsOf(object: Record<string, unknown>): Record<string, unknown> {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  return isJsonObject(metadata.annotations) ? metadata.annotations : {};
}

/**
 * What a client applied by itself before, by the annotation that it left, and nobody changed since: these
 * fields may be taken over without force. Empty without a usable annotation.
 */
export function fieldsOfLastApplied(live: TypedObject, annotation: string): FieldSet {
  const text = annotationsOf(live.object)[annotation];
  if (typeof text !== 'string' || text === '') return emptyFieldSet;
  const { root } = live.schema;
  try {
    const applied: unknown = parseExact(text);
    if (!isJsonObject(applied) || applied.apiVersion !== live.apiVersion) return emptyFieldSet;
    validateTyped(root, applied);
    const { added, modified, removed } = compareTyped(root, applied, live.object);
    const own = toFieldSet(root, applied);
    return differenceOf(differenceOf(differenceOf(own, modified), added), removed);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypedError)) throw error;
    // Anybody may write annotations: a broken one gives nobody a right to anything.
    return emptyFieldSet;
  }
}

/**
 * The object with the annotation brought up to date from the configuration, so that the client can go back to
 * applying by itself. Objects without the annotation stay as they are.
 */
export function refreshLastApplied(
  object: Record<string, unknown>,
  config: Record<string, unknown>,
  annotation: string,
): Record<string, unknown> {
  const annotations = annotationsOf(object);
  const old = annotations[annotation];
  if (typeof old !== 'string') return object;
  const text = `${goJson(withoutAnnotation(config, annotation))}\n`;
  if (text === old) return object;
  const next = { ...annotations };
  setOwn(next, annotation, text);
  // It has annotations, so it has metadata.
  return { ...object, metadata: { ...(object.metadata as object), annotations: next } };
}

/** Annotations that are none, as one of them is no text, go all together. */
function withoutAnnotation(config: Record<string, unknown>, annotation: string): Record<string, unknown> {
  const { metadata } = config;
  if (!isJsonObject(metadata) || !('annotations' in metadata)) return config;
  const { annotations, ...rest } = metadata;
  const areTexts =
    isJsonObject(annotations) && Object.values(annotations).every((value) => typeof value === 'string');
  if (!areTexts) return { ...config, metadata: rest };
  const others = { ...annotations };
  delete others[annotation];
  return { ...config, metadata: { ...rest, annotations: others } };
}

/**
 * The text that the client itself leaves: names sorted, and escapes as Go writes them. With another text of the same
 * configuration the client would find something to change.
 */
const goJson = (config: Record<string, unknown>): string =>
  canonicalText(config).replace(
    /[<>&\u2028\u2029]|\\./g,
    (found) => shortEscapes[found] ?? (found.length > 1 ? found : escapeUnit(found)),
  );

/** Escapes that JSON has a letter for and Go has not. */
const shortEscapes: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' };

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
