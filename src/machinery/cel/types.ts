/** A type of the expression language. Sizes are the most that a schema allows: letters, items, entries. */
export type CelType =
  | { readonly kind: 'simple'; readonly name: SimpleName; readonly maxSize?: number | undefined }
  | { readonly kind: 'list'; readonly element: CelType; readonly maxSize?: number | undefined }
  | {
      readonly kind: 'map';
      readonly key: CelType;
      readonly value: CelType;
      readonly maxSize?: number | undefined;
    }
  | ObjectType
  | { readonly kind: 'optional'; readonly of: CelType }
  /** Values of an extension: quantities, addresses. */
  | { readonly kind: 'opaque'; readonly name: string }
  /** Any type in a signature, the same wherever its name stands. */
  | { readonly kind: 'param'; readonly name: string };

/** A structure with named fields. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** The type of a field; undefined when there is none of that name. */
  field(name: string): CelType | undefined;
}

export type SimpleName =
  | 'dyn'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null_type'
  | 'timestamp'
  | 'duration'
  | 'type';

/** All of them. */
export const simpleNames: readonly SimpleName[] = [
  'dyn',
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'null_type',
  'timestamp',
  'duration',
  'type',
];

const simples = new Map(simpleNames.map((name) => [name, { kind: 'simple', name } as const]));

/** The type of a name. */
export function simpleType(name: SimpleName): CelType {
  return simples.get(name) ?? { kind: 'simple', name };
}

/** Anything: what it is shows when an expression runs. */
export const dyn: CelType = simpleType('dyn');
export const bool: CelType = simpleType('bool');
export const int: CelType = simpleType('int');
export const string: CelType = simpleType('string');

export const isDyn = (type: CelType): boolean => type.kind === 'simple' && type.name === 'dyn';

export const listOf = (element: CelType, maxSize?: number): CelType => ({ kind: 'list', element, maxSize });
export const mapOf = (key: CelType, value: CelType, maxSize?: number): CelType => ({
  kind: 'map',
  key,
  value,
  maxSize,
});
export const optionalOf = (of: CelType): CelType => ({ kind: 'optional', of });

/** A type as messages name it. */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'simple':
      return type.name;
    case 'list':
      return `list(${typeText(type.element)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional_type(${typeText(type.of)})`;
    default:
      return type.name;
  }
}

/** What the parameters of a signature stand for. */
export type Bindings = Map<string, CelType>;

/** Whether a value of a type can stand where another is wanted; parameters are bound to what they meet first. */
export function isAssignable(wanted: CelType, given: CelType, bindings: Bindings): boolean {
  if (wanted.kind === 'param') {
    const bound = bindings.get(wanted.name);
    if (bound === undefined || isDyn(bound)) {
      bindings.set(wanted.name, given);
      return true;
    }
    return isAssignable(bound, given, bindings);
  }
  if (isDyn(wanted) || isDyn(given) || given.kind === 'param') return true;
  if (isNull(given)) return isNull(wanted) || wanted.kind === 'object' || wanted.kind === 'opaque';
  if (isNull(wanted)) return given.kind === 'object';
  if (wanted.kind === 'list' && given.kind === 'list')
    return isAssignable(wanted.element, given.element, bindings);
  if (wanted.kind === 'map' && given.kind === 'map')
    return isAssignable(wanted.key, given.key, bindings) && isAssignable(wanted.value, given.value, bindings);
  if (wanted.kind === 'optional' && given.kind === 'optional')
    return isAssignable(wanted.of, given.of, bindings);
  // An object is a map of texts too, where a function takes any map.
  if (wanted.kind === 'map' && given.kind === 'object') return true;
  return wanted.kind === given.kind && nameOf(wanted) === nameOf(given);
}

const isNull = (type: CelType): boolean => type.kind === 'simple' && type.name === 'null_type';
const nameOf = (type: CelType): string | undefined => ('name' in type ? type.name : undefined);

/** A type of a signature with its parameters replaced; one that nothing bound is anything. */
export function substitute(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'param':
      return bindings.get(type.name) ?? dyn;
    case 'list':
      return listOf(substitute(type.element, bindings));
    case 'map':
      return mapOf(substitute(type.key, bindings), substitute(type.value, bindings));
    case 'optional':
      return optionalOf(substitute(type.of, bindings));
    default:
      return type;
  }
}

/** The type of what is one or the other. */
export function joinTypes(one: CelType, other: CelType): CelType {
  if (one === other) return one;
  return isAssignable(one, other, new Map()) && isAssignable(other, one, new Map()) ? one : dyn;
}

/** The type of what is any of these. */
export const joinAll = (types: readonly CelType[]): CelType =>
  types.length === 0 ? dyn : types.reduce((one, other) => joinTypes(one, other));

/** Elements of a list, or keys of a map; undefined for what is neither. */
export function elementOf(type: CelType): CelType | undefined {
  if (type.kind === 'list') return type.element;
  if (type.kind === 'map') return type.key;
  return isDyn(type) ? dyn : undefined;
}

const isNumeric = (type: CelType): boolean =>
  isDyn(type) ||
  (type.kind === 'simple' && (type.name === 'int' || type.name === 'uint' || type.name === 'double'));

/** What is found at a key; undefined for what has no such keys. */
export function indexType(type: CelType, key: CelType): CelType | undefined {
  const isNumber = isNumeric(key);
  if (type.kind === 'list') return isNumber ? type.element : undefined;
  // Numbers of all kinds find one another among keys.
  const fits =
    type.kind === 'map' && (isAssignable(type.key, key, new Map()) || (isNumber && isNumeric(type.key)));
  if (type.kind === 'map') return fits ? type.value : undefined;
  return isDyn(type) ? dyn : undefined;
}
