import { isJsonObject, isRawNumber } from '../../base/index.ts';
import { beyondDoubles, formatDuration, parseDuration, toDouble } from '../go-values/index.ts';
import { canonicalQuantity } from '../values/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../values/time.ts';
import { bytesCodec } from './base64.ts';
import type { Codec } from './codec.ts';
import { copyJson, jsonKind, numberText } from './json-text.ts';
import { throwMismatch } from './mismatch.ts';
import { checkPlainJson, PlainJsonFault } from './plain-json.ts';

/** A type that reads its own JSON: json-iterator takes its whole text and reports what its reader says. */
function ownReader(
  convert: (value: unknown) => unknown,
  zero: () => unknown,
  check: (value: unknown) => void = convert,
): Codec {
  return {
    shape: 'struct',
    decode(value) {
      try {
        return convert(value);
      } catch {
        return throwMismatch();
      }
    },
    zero,
    explain: { kind: 'own', check },
  };
}

function asString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new PlainJsonFault(jsonKind(value), 'string');
}

function intOrString(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && (value | 0) === value) return value;
  const kind = jsonKind(value);
  const what = kind === 'number' ? `number ${numberText(value)}` : kind;
  throw new TypeError(`json: cannot unmarshal ${what} into Go value of type int32`);
}

const quantity = ownReader(
  (value) => canonicalQuantity(typeof value === 'string' ? value : numberText(value)),
  () => '0',
);
const time = ownReader(
  (value) => canonicalTime(asString(value)),
  () => null,
);
const microTime = ownReader(
  (value) => canonicalMicroTime(asString(value)),
  () => null,
);
const duration = ownReader(
  (value) => formatDuration(parseDuration(asString(value))),
  () => '0s',
);
const anyValue = ownReader(copyJson, () => null);

/** Values of schemas, which are looked at. */
const jsonValue = ownReader(
  (value) => {
    checkNumbers(value);
    return copyJson(value);
  },
  () => null,
);

/** @throws TypeError for a number beyond all doubles. */
function checkNumbers(value: unknown): void {
  if (isRawNumber(value)) {
    if (!Number.isFinite(toDouble(value))) throw new TypeError(beyondDoubles(value.rawJSON));
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) checkNumbers(item);
  }
}

/** Records of owners are large, shared and never changed in place: no copy is made. */
const fieldsObject = ownReader(
  (value) => value,
  () => null,
);

/** Codecs of types with their own JSON form, by the last part of their key; groups differ only in spelling. */
export const specialCodecs: Readonly<Record<string, Codec>> = {
  any: anyValue,
  bytes: bytesCodec,
  Quantity: quantity,
  IntOrString: ownReader(intOrString, () => 0),
  Time: time,
  MicroTime: microTime,
  Duration: duration,
  FieldsV1: fieldsObject,
  RawExtension: anyValue,
  TypeMeta: anyValue,
  Unknown: anyValue,
  JSON: jsonValue,
};

/** A schema, or one of the other forms that JSON schema allows in its place. */
export function schemaOr(
  form: 'JSONSchemaPropsOrArray' | 'JSONSchemaPropsOrBool' | 'JSONSchemaPropsOrStringArray',
  schema: () => Codec,
  /** As Go prints the type of a schema. */
  goType: string,
): Codec {
  const convert = (value: unknown): unknown => {
    if (isJsonObject(value)) return schema().decode(value);
    if (form === 'JSONSchemaPropsOrBool') {
      if (typeof value === 'boolean') return value;
      throw new TypeError('boolean or JSON schema expected');
    }
    if (!Array.isArray(value) || value.length === 0) return null;
    if (form === 'JSONSchemaPropsOrArray') return value.map((item: unknown) => schema().decode(item ?? {}));
    return value.map((item: unknown) => asString(item ?? ''));
  };
  const check = (value: unknown): void => {
    const look = (one: unknown): void => checkPlainJson(schema(), one, goType);
    if (isJsonObject(value)) look(value);
    else if (form === 'JSONSchemaPropsOrArray' && Array.isArray(value)) value.forEach(look);
    else convert(value);
  };
  return ownReader(convert, () => (form === 'JSONSchemaPropsOrBool' ? false : null), check);
}
