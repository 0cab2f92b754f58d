import { isJsonObject, isRawNumber, rawNumber } from '../../../base/index.ts';
import type { CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import { listElement, mapElement } from '../../schema/go-names.ts';

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/**
 * A strategically patched object with its integers cut to the size of their fields, in two's complement, as the
 * converter of release 1.20 does without a word; the object itself when they fit.
 */
export function wrapIntegers(value: unknown, type: CompiledType, catalog: TypeCatalog): unknown {
  // Types without fields have readers of their own.
  if (!isJsonObject(value) || type.fields.length === 0) return value;
  let result = value;
  for (const { name, type: fieldType } of type.fields) {
    if (!Object.hasOwn(value, name)) continue;
    const wrapped = wrapValue(value[name], fieldType, catalog);
    if (wrapped !== value[name]) result = { ...result, [name]: wrapped };
  }
  return result;
}

function wrapValue(value: unknown, type: string, catalog: TypeCatalog): unknown {
  if (type === 'int32' || type === 'int64') return wrapInteger(value, type);
  const item = listElement(type);
  if (item !== undefined) return Array.isArray(value) ? wrapAll(value, item, catalog) : value;
  const member = mapElement(type);
  if (member !== undefined) {
    if (!isJsonObject(value)) return value;
    const values = Object.values(value);
    const wrapped = wrapAll(values, member, catalog);
    if (wrapped === values) return value;
    return Object.fromEntries(Object.keys(value).map((key, at) => [key, wrapped[at]]));
  }
  return type.includes('.') ? wrapIntegers(value, catalog.type(type), catalog) : value;
}

function wrapAll(values: readonly unknown[], type: string, catalog: TypeCatalog): readonly unknown[] {
  const wrapped = values.map((value) => wrapValue(value, type, catalog));
  return wrapped.every((value, at) => value === values[at]) ? values : wrapped;
}

/** What is no whole number stays, and is refused later. */
function wrapInteger(value: unknown, type: 'int32' | 'int64'): unknown {
  let whole: bigint;
  if (isRawNumber(value) && /^-?\d+$/.test(value.rawJSON)) whole = BigInt(value.rawJSON);
  else if (typeof value === 'number' && Number.isInteger(value)) whole = BigInt(value);
  else return value;
  // Beyond 64 bits it is a floating-point number there, whose conversion gives the smallest integer.
  const isHeld = whole >= minInt64 && whole <= maxInt64;
  if (type === 'int64') return isHeld ? value : rawNumber(String(minInt64));
  return Number(BigInt.asIntN(32, isHeld ? whole : minInt64));
}
