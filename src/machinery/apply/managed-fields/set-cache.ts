import type { FieldSet } from '../fieldpath/field-set.ts';
import { parseFieldsV1 } from '../fieldpath/fields-v1.ts';
import type { ParseFieldSet } from './state.ts';

/** Texts longer than this are parsed each time: keeping them would cost more than it saves. */
const maxTextLength = 20_000;

/**
 * A parser of `fieldsV1` that remembers the sets of up to `capacity` recent texts: objects that are written
 * again and again keep their owners' sets.
 */
export function createFieldSetParser({ capacity }: { capacity: number }): ParseFieldSet {
  const known = new Map<string, FieldSet>();
  // Values of `fieldsV1` are never changed in place: the same one is the same set.
  const byValue = new WeakMap<object, FieldSet>();
  const byText = (fieldsV1: unknown): FieldSet => {
    const text = JSON.stringify(fieldsV1) ?? '';
    let set = known.get(text);
    if (set === undefined) set = parseFieldsV1(fieldsV1);
    else known.delete(text);
    if (text.length > maxTextLength) return set;
    known.set(text, set);
    if (known.size > capacity) {
      for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    }
    return set;
  };
  return (fieldsV1) => {
    if (typeof fieldsV1 !== 'object' || fieldsV1 === null) return byText(fieldsV1);
    let set = byValue.get(fieldsV1);
    if (set === undefined) {
      set = byText(fieldsV1);
      byValue.set(fieldsV1, set);
    }
    return set;
  };
}
