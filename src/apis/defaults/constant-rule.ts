import type { CompiledField, TypeCatalog } from '../../machinery/schema/index.ts';
import type { ConstantRuleData } from './default-rule.ts';

type Fields = Record<string, unknown>;

/**
 * Makes the function of a constant rule. A pointer counts as unset when it is absent, any other field also
 * when it is empty or zero. Absent messages on the way are made unless they are pointers.
 *
 * @throws RangeError when the path does not fit the type.
 */
export function compileConstantRule(
  catalog: TypeCatalog,
  typeName: string,
  rule: ConstantRuleData,
): (object: Fields) => void {
  const fields = resolvePath(catalog, typeName, rule.path);
  const last = fields.pop();
  if (last === undefined) throw new RangeError(`default of ${typeName}: empty path`);
  const { name, isPointer } = last;
  const { value } = rule;
  const isScalar = typeof value !== 'object';
  const conditions = Object.entries(rule.when ?? {}).map(([path, values]) => ({
    names: path.split('.'),
    values: new Set<unknown>(values),
  }));
  return (object) => {
    for (const { names, values } of conditions) if (!values.has(readPath(object, names))) return;
    const parent = fields.length === 0 ? object : descend(object, fields);
    if (parent === undefined) return;
    const present = parent[name];
    if (present === undefined || present === null || (!isPointer && isEmpty(present))) {
      parent[name] = isScalar ? value : copyValue(value);
    }
  };
}

function resolvePath(catalog: TypeCatalog, typeName: string, path: string): CompiledField[] {
  let type = typeName;
  return path.split('.').map((name) => {
    const field = catalog.type(type).fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new RangeError(`default of ${typeName}: no field ${path}`);
    type = field.type;
    return field;
  });
}

function descend(object: Fields, fields: readonly CompiledField[]): Fields | undefined {
  let current = object;
  for (const field of fields) {
    let next = current[field.name];
    if (next === undefined || next === null) {
      if (field.isPointer) return undefined;
      next = {};
      current[field.name] = next;
    }
    // The path was resolved through message types, and the object is canonical.
    current = next as Fields;
  }
  return current;
}

function readPath(object: Fields, names: readonly string[]): unknown {
  let current: unknown = object;
  for (const name of names) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Fields)[name];
  }
  return current;
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** A copy of a JSON value, so that objects never share a default. */
function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  const copy: Fields = {};
  for (const [key, item] of Object.entries(value)) copy[key] = copyValue(item);
  return copy;
}
