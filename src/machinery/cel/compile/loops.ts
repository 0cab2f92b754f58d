import { sizeOf } from '../estimate.ts';
import type { Expr } from '../library.ts';
import { loopRun } from '../runs.ts';
import { dyn, elementOf, isDyn, joinTypes, listOf, optionalOf, typeText } from '../types.ts';
import { Failure, Optional } from '../values.ts';
import type { Compilation, Gathering, Part, Scope, Syntax } from './part.ts';

/** A macro: a loop over a list, or the keys of a map. */
export function compileLoop(
  compilation: Compilation,
  loop: Syntax<'comprehensionExpr'>,
  scope: Scope | undefined,
): Part {
  const range = compilation.compile(loop.iterRange, scope);
  const element = elementOf(range.type);
  if (element === undefined) {
    const text = `expression of type '${typeText(range.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    return compilation.fail(loop.iterRange, text);
  }
  const [accuSlot, itemSlot] = [compilation.takeSlot(), compilation.takeSlot()];
  const init = compilation.compile(loop.accuInit, scope);
  const outerGathering = compilation.gathering;
  const gathers = loop.accuInit?.exprKind.case === 'listExpr';
  const gathering: Gathering = { name: loop.accuVar, slot: accuSlot, element: undefined };
  compilation.gathering = gathers ? gathering : undefined;
  const accu = { name: loop.accuVar, slot: accuSlot, type: init.type, size: range.size, outer: scope };
  const size = sizeOf(element);
  const inner = { name: loop.iterVar, slot: itemSlot, type: element, size, outer: accu };
  const condition = compilation.compile(loop.loopCondition, inner);
  const step = compilation.compile(loop.loopStep, inner);
  const result = compilation.compile(loop.result, accu);
  compilation.gathering = outerGathering;
  const run = loopRun({
    range: range.run,
    condition: condition.run,
    step: step.run,
    result: result.run,
    init: gathers ? 'list' : init.run,
    accuSlot,
    itemSlot,
  });
  return {
    type: gathers ? listOf(gathering.element ?? dyn, range.size) : result.type,
    size: gathers ? range.size : result.size,
    cost: range.cost + range.size * (1 + condition.cost + step.cost) + result.cost,
    run,
  };
}

/**
 * `list + [item]` in a loop that makes a list: the item is appended, rather than the list copied. Undefined for any other call.
 */
export function compileGathering(
  compilation: Compilation,
  name: string,
  args: readonly Expr[],
  scope: Scope | undefined,
): Part | undefined {
  const [left, right] = args;
  const { gathering } = compilation;
  if (gathering === undefined || name !== '_+_') return undefined;
  if (left?.exprKind.case !== 'identExpr' || left.exprKind.value.name !== gathering.name) return undefined;
  if (right?.exprKind.case !== 'listExpr') return undefined;
  const { slot } = gathering;
  const item = compilation.compile(right.exprKind.value.elements[0], scope);
  gathering.element = gathering.element === undefined ? item.type : joinTypes(gathering.element, item.type);
  return {
    type: dyn,
    size: 1,
    cost: item.cost + 1,
    run(frame) {
      frame.meter.charge(1);
      const value = item.run(frame);
      if (value instanceof Failure) return value;
      const list = frame.gathered[slot] ?? [];
      list.push(value);
      return list;
    },
  };
}

interface OptionalMap {
  readonly name: string;
  readonly on: Part;
  readonly args: readonly Expr[];
}

/** `value.optMap(name, expression)`, and `optFlatMap`. */
export function compileOptionalMap(
  compilation: Compilation,
  expr: Expr,
  { name, on, args: [variable, body] }: OptionalMap,
  scope: Scope | undefined,
): Part {
  if (variable?.exprKind.case !== 'identExpr')
    return compilation.fail(variable, 'argument must be a simple name');
  const slot = compilation.takeSlot();
  const of = on.type.kind === 'optional' ? on.type.of : dyn;
  if (on.type.kind !== 'optional' && !isDyn(on.type)) {
    const text = `found no matching overload for '${name}' applied to '${typeText(on.type)}'`;
    return compilation.fail(expr, text);
  }
  const inner = { name: variable.exprKind.value.name, slot, type: of, size: sizeOf(of), outer: scope };
  const part = compilation.compile(body, inner);
  const isFlat = name === 'optFlatMap';
  return {
    type: isFlat ? part.type : optionalOf(part.type),
    size: part.size,
    cost: on.cost + part.cost + 1,
    run(frame) {
      const value = on.run(frame);
      if (!(value instanceof Optional))
        return value instanceof Failure ? value : new Failure('no such overload');
      if (value.value === undefined) return value;
      frame.locals[slot] = value.value;
      const result = part.run(frame);
      return isFlat || result instanceof Failure ? result : new Optional(result);
    },
  };
}
