import { totalCost } from '../estimate.ts';
import { type Expr, libraryUint } from '../library.ts';
import { evaluateAll, makeMap, type Run } from '../runs.ts';
import {
  bool,
  type CelType,
  dyn,
  int,
  isDyn,
  joinAll,
  listOf,
  mapOf,
  optionalOf,
  simpleType,
  string,
  typeText,
} from '../types.ts';
import { Failure, Optional, TypeValue, type Value } from '../values.ts';
import type { Compilation, Part, Scope, Syntax } from './part.ts';

export function compileConstant({ constantKind }: Syntax<'constExpr'>): Part {
  const [type, value] = constantOf(constantKind);
  const size = typeof value === 'string' ? value.length : 1;
  return { type, size, cost: 0, run: () => value, constant: value };
}

function constantOf(kind: Syntax<'constExpr'>['constantKind']): [CelType, Value] {
  switch (kind.case) {
    case 'boolValue':
      return [bool, kind.value];
    case 'int64Value':
      return [int, kind.value];
    case 'stringValue':
      return [string, kind.value];
    case 'doubleValue':
      return [simpleType('double'), kind.value];
    case 'bytesValue':
      return [simpleType('bytes'), kind.value];
    case 'uint64Value':
      return [simpleType('uint'), libraryUint(kind.value)];
    default:
      return [simpleType('null_type'), null];
  }
}

const typeNames = new Map(
  [
    'bool',
    'int',
    'uint',
    'double',
    'string',
    'bytes',
    'list',
    'map',
    'null_type',
    'type',
    'optional_type',
  ].map((name) => [name, new TypeValue(name)]),
);

/** A name that stands for a type; undefined for others. */
export function compileTypeName(name: string): Part | undefined {
  const value = typeNames.get(name);
  return value && { type: simpleType('type'), size: 1, cost: 1, run: () => value };
}

/** A list; optional entries that have no value are left out. */
export function compileList(
  compilation: Compilation,
  expr: Expr,
  { elements }: Syntax<'listExpr'>,
  scope: Scope | undefined,
): Part {
  const parts = elements.map((each) => compilation.compile(each, scope));
  const optional = compilation.optionalEntries(expr, elements);
  const types = parts.map(({ type }, at) =>
    optional.has(at) ? insideOf(compilation, elements[at], type) : type,
  );
  const runs = parts.map(({ run }) => run);
  const run: Run = (frame) => {
    frame.meter.charge(1 + runs.length);
    const values = evaluateAll(runs, frame);
    return optional.size === 0 || values instanceof Failure ? values : withoutMissing(values, optional);
  };
  return { type: listOf(joinAll(types)), run, cost: 1 + totalCost(parts), size: parts.length };
}

/** The type of the value of an optional entry. */
function insideOf(compilation: Compilation, expr: Expr | undefined, type: CelType): CelType {
  if (type.kind === 'optional') return type.of;
  if (isDyn(type)) return dyn;
  const wanted = typeText(optionalOf(type));
  return compilation.fail(expr, `expected type '${wanted}' but found '${typeText(type)}'`).type;
}

function withoutMissing(values: readonly Value[], optional: ReadonlySet<number>): readonly Value[] | Failure {
  const there: Value[] = [];
  for (const [at, value] of values.entries()) {
    if (!optional.has(at)) there.push(value);
    else if (!(value instanceof Optional)) return noOptional;
    else if (value.value !== undefined) there.push(value.value);
  }
  return there;
}

const noOptional = new Failure('no such overload: an optional entry needs an optional value');

/** A map; optional entries that have no value are left out. There are no messages. */
export function compileMap(
  compilation: Compilation,
  expr: Expr,
  { messageName, entries }: Syntax<'structExpr'>,
  scope: Scope | undefined,
): Part {
  if (messageName !== '')
    return compilation.fail(expr, `undeclared reference to '${messageName}' (in container '')`);
  const keyExprs: Expr[] = [];
  for (const { keyKind } of entries) {
    if (keyKind.case !== 'mapKey') return compilation.fail(expr, 'unsupported map entry');
    keyExprs.push(keyKind.value);
  }
  const keys = keyExprs.map((each) => compilation.compile(each, scope));
  const values = entries.map(({ value }) => compilation.compile(value, scope));
  const optional = compilation.optionalEntries(expr, keyExprs);
  const types = values.map(({ type }, at) =>
    optional.has(at) ? insideOf(compilation, entries[at]?.value, type) : type,
  );
  const [keyRuns, valueRuns] = [keys.map(({ run }) => run), values.map(({ run }) => run)];
  const run: Run = (frame) => {
    frame.meter.charge(1 + keyRuns.length);
    const names = evaluateAll(keyRuns, frame);
    if (names instanceof Failure) return names;
    const items = evaluateAll(valueRuns, frame);
    if (items instanceof Failure) return items;
    if (optional.size === 0) return makeMap(names, items);
    const found = withoutMissing(items, optional);
    if (found instanceof Failure) return found;
    const isThere = (at: number): boolean => !optional.has(at) || hasValue(items[at]);
    return makeMap(
      names.filter((_, at) => isThere(at)),
      found,
    );
  };
  const type = mapOf(joinAll(keys.map((key) => key.type)), joinAll(types));
  return { type, run, cost: 1 + totalCost([...keys, ...values]), size: keys.length };
}

const hasValue = (value: Value | undefined): boolean =>
  value instanceof Optional && value.value !== undefined;
