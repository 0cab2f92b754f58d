import { sizeOf } from '../estimate.ts';
import { escapeName } from '../json-values.ts';
import type { Expr } from '../library.ts';
import { access, indexRun, optionalAccess, presence } from '../runs.ts';
import { callText } from '../signatures.ts';
import { bool, type CelType, dyn, indexType, isDyn, optionalOf, typeText } from '../types.ts';
import type { Compilation, Part, Scope, Syntax } from './part.ts';

/** A field, or whether it is there. */
export function compileSelect(
  compilation: Compilation,
  expr: Expr,
  { operand, field, testOnly }: Syntax<'selectExpr'>,
  scope: Scope | undefined,
): Part {
  const from = compilation.compile(operand, scope);
  const isMarked = compilation.isOptional(expr);
  const written = isMarked ? field.slice(1) : field;
  const quoted = compilation.quotedName(written);
  const name = quoted === undefined ? written : keyOfQuoted(from.type, quoted);
  const type = fieldType(from.type, name);
  if (type === undefined) {
    const of = insideOf(from.type);
    const problem =
      of.kind === 'object'
        ? `undefined field '${quoted ?? name}'`
        : `type '${typeText(of)}' does not support field selection`;
    return compilation.fail(expr, problem);
  }
  const base = { cost: from.cost + 1, size: sizeOf(type) };
  if (testOnly) return { ...base, type: bool, size: 1, run: presence(from.run, name) };
  if (isMarked || from.type.kind === 'optional') {
    return { ...base, type: optionalOf(type), run: optionalAccess(from.run, () => name) };
  }
  return { ...base, type, run: access(from.run, name) };
}

const insideOf = (type: CelType): CelType => (type.kind === 'optional' ? insideOf(type.of) : type);

/** Structures know their fields by escaped names, which a quoted one need not be. */
const keyOfQuoted = (type: CelType, name: string): string =>
  insideOf(type).kind === 'object' ? (escapeName(name) ?? name) : name;

/** Undefined where there is no such field, nor could be. */
function fieldType(type: CelType, name: string): CelType | undefined {
  const of = insideOf(type);
  if (of.kind === 'object') return of.field(name);
  if (of.kind === 'map') return of.value;
  return isDyn(of) ? dyn : undefined;
}

/** An item of a list, or of a map. */
export function compileIndex(compilation: Compilation, expr: Expr, of: Part, key: Part): Part {
  const isOptional = compilation.isOptional(expr) || of.type.kind === 'optional';
  const on = of.type.kind === 'optional' ? of.type.of : of.type;
  const type = indexType(on, key.type);
  if (type === undefined) {
    const text = callText('_[_]', [on, key.type], false);
    return compilation.fail(expr, `found no matching overload for ${text}`);
  }
  const base = { cost: of.cost + key.cost + 1, size: sizeOf(type) };
  if (isOptional) return { ...base, type: optionalOf(type), run: optionalAccess(of.run, key.run) };
  return { ...base, type, run: indexRun(of.run, key.run) };
}
