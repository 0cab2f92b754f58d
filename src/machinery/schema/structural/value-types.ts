import { quoteGo } from '../../errors/index.ts';
import { isInteger, isJsonNumber, toDouble } from '../../go-values/index.ts';
import type { Findings } from './findings.ts';
import { isNearlyWhole } from './numbers.ts';
import { type ExtensionNames, type SchemaNode, textAt } from './schema-names.ts';

/** What a schema says of the type of a value. */
export interface TypeRule {
  /** False where nothing is said of values that are there. */
  readonly isChecked: boolean;
  readonly types: readonly string[];
  readonly isNullable: boolean;
  /** The format, where it is one that counts. */
  readonly format: string;
}

/**
 * The rule of a schema. Of defaults, release 1.20 also checks formats that it does not know, and takes nothing for granted of
 * what may be an integer or a string.
 */
export function typeRule(
  schema: SchemaNode,
  names: ExtensionNames,
  { hasFormat, isOfDefault }: { readonly hasFormat: boolean; readonly isOfDefault: boolean },
): TypeRule {
  const type = textAt(schema, 'type');
  const own = type === '' ? [] : [type];
  const types = schema[names.intOrString] === true && !isOfDefault ? ['integer', 'string'] : own;
  const format = hasFormat || isOfDefault ? textAt(schema, 'format') : '';
  return {
    isChecked: types.length > 0 || format !== '',
    types,
    isNullable: schema.nullable === true,
    format,
  };
}

/**
 * Checks the type of a value; true when it is right. To release 1.20 an empty text is nothing as null is, a double may be
 * an integer, and a list is never of a wrong type where a format is given.
 */
export function checkType(rule: TypeRule, value: unknown, path: string, findings: Findings): boolean {
  const { types, format } = rule;
  if (value === null || value === undefined || value === '') {
    if (types.length === 0 || rule.isNullable || types.includes('null')) return true;
    return refuse(types.join(','), 'null', path, findings);
  }
  const [type, width] = kindOf(value);
  const isNumber = types.includes('number') || types.includes('integer');
  const fits =
    types.includes(type) ||
    (type === 'number' &&
      types.includes('integer') &&
      isJsonNumber(value) &&
      isNearlyWhole(toDouble(value))) ||
    (type === 'integer' && types.includes('number'));
  if (format !== '') {
    const isText = type === 'string' || type === 'array';
    if (isText && !isNumber) return true;
    if (!isText && !fits && width !== format) return refuse(format, width, path, findings);
  }
  return fits || refuse(types.join(','), type, path, findings);
}

function refuse(wanted: string, found: string, path: string, findings: Findings): false {
  findings.invalid(path, found, `must be of type ${wanted}: ${quoteGo(found)}`);
  return false;
}

/** The type of a value, and how wide a number of it is. */
function kindOf(value: unknown): readonly [type: string, width: string] {
  if (isJsonNumber(value)) return isInteger(value) ? ['integer', 'int64'] : ['number', 'float64'];
  if (typeof value === 'string') return ['string', ''];
  if (typeof value === 'boolean') return ['boolean', ''];
  return [Array.isArray(value) ? 'array' : 'object', ''];
}
