import { isJsonObject } from '../../base/index.ts';
import { nearestName } from '../../config/index.ts';
import type { YamlPath } from '../../machinery/codec/index.ts';
import { DecodeError, type TypeCatalog } from '../../machinery/schema/index.ts';
import { showValue } from './notice.ts';

/** Something in a manifest that does not fit its kind, and where it stands in the object. */
export interface Fault {
  readonly path: YamlPath;
  readonly text: string;
}

/** What an object has that its type does not. */
export interface TypeFaults {
  /** Fields that there are none of; readers pass over them. */
  readonly unknown: readonly Fault[];
  /** Values that readers refuse. */
  readonly mismatched: readonly Fault[];
}

/** Types whose values are JSON of any shape, or have fields that their own form does not show. */
const opaqueTypes =
  /^(resource|intstr|runtime)\.|\.(Time|MicroTime|Duration|FieldsV1|Verbs|ExtraValue|JSON|JSONSchemaPropsOr\w+)$/;

/** What values of types are, in messages; of others the type is named. */
const wanted: readonly (readonly [type: RegExp, text: string])[] = [
  [/^string$/, 'text'],
  [/^bool$/, 'true or false'],
  [/^int(32|64)$/, 'an integer'],
  [/^double$/, 'a number'],
  [/^list</, 'a list'],
  [/^map</, 'a map'],
  [/^bytes$/, 'text in base64'],
  [/\.Quantity$/, 'a quantity, such as 500m'],
  [/\.IntOrString$/, 'an integer or text'],
  [/\.(Micro)?Time$/, 'a time, such as 2020-01-31T12:00:00Z'],
  [/\.Duration$/, 'a duration, such as 30s'],
];

/** All that does not fit a type, in the order of the object. */
export function findFaults(catalog: TypeCatalog, typeName: string, object: unknown): TypeFaults {
  const unknown: Fault[] = [];
  const mismatched: Fault[] = [];
  const refuse = (path: YamlPath, type: string, value: unknown): void => {
    const isTooLarge = /^int/.test(type) && /^-?\d+$/.test(showValue(value));
    const what = isTooLarge
      ? `an integer of ${type.slice('int'.length)} bits`
      : (wanted.find(([pattern]) => pattern.test(type))?.[1] ?? 'a map');
    mismatched.push({ path, text: `is ${showValue(value)}, must be ${what}` });
  };
  /** `isRead` says whether the struct around it can be read with another value in the place of this one. */
  const visit = (type: string, value: unknown, path: YamlPath, isRead: (value: unknown) => boolean): void => {
    if (value === null || value === undefined) return;
    if (opaqueTypes.test(type)) {
      if (!isRead(value)) refuse(path, type, value);
    } else if (type.startsWith('list<')) {
      if (!Array.isArray(value)) refuse(path, type, value);
      else
        for (const [index, item] of value.entries())
          visit(type.slice(5, -1), item, [...path, index], (one) => isRead([one]));
    } else if (type.startsWith('map<string,')) {
      if (!isJsonObject(value)) refuse(path, type, value);
      else
        for (const [key, item] of Object.entries(value))
          visit(type.slice(11, -1), item, [...path, key], (one) => isRead({ [key]: one }));
    } else if (type.includes('.')) visitStruct(type, value, path);
    else if (!isRead(value)) refuse(path, type, value);
  };
  const visitStruct = (type: string, value: unknown, path: YamlPath): void => {
    if (!isJsonObject(value)) {
      refuse(path, type, value);
      return;
    }
    const compiled = catalog.type(type);
    const fields = new Map(compiled.fields.map((field) => [field.name, field.type]));
    for (const [name, item] of Object.entries(value)) {
      const fieldType = fields.get(name);
      const fieldPath = [...path, name];
      if (fieldType !== undefined)
        visit(fieldType, item, fieldPath, (one) => canDecode(() => compiled.decode({ [name]: one })));
      else if (item !== null) unknown.push({ path: fieldPath, text: unknownField(name, [...fields.keys()]) });
    }
  };
  visitStruct(typeName, object, []);
  return { unknown, mismatched };
}

function unknownField(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? 'unknown field' : `unknown field; did you mean ${near}?`;
}

function canDecode(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
