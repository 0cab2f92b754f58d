import type { Pattern } from '../schema/structural/index.ts';
import { callCost, type Estimate, hasSize, sizeOf, totalCost } from './estimate.ts';
import { compileText, createCall } from './functions/index.ts';
import { type Expr, libraryUint, type ParsedText } from './library.ts';
import { Meter, maxExpressionCost } from './meter.ts';
import {
  access,
  callRun,
  evaluateAll,
  indexRun,
  localRun,
  logicalRun,
  loopRun,
  makeMap,
  matchConstant,
  optionalAccess,
  presence,
  type Run,
  variableRun,
} from './runs.ts';
import { callText, callType, isFunction } from './signatures.ts';
import {
  bool,
  type CelType,
  dyn,
  elementOf,
  indexType,
  int,
  isDyn,
  joinAll,
  joinTypes,
  listOf,
  mapOf,
  optionalOf,
  simpleType,
  string,
  typeText,
} from './types.ts';
import { Failure, Optional, TypeValue, type Value } from './values.ts';

/** A part of an expression, ready to run. */
export interface Part extends Estimate {
  readonly type: CelType;
  readonly run: Run;
  /** The value of what is always the same. */
  readonly constant?: Value;
}

/** Something that is wrong with an expression; `offset` is in UTF-16 units. */
export interface Issue {
  readonly offset: number;
  readonly text: string;
}

interface Scope {
  readonly name: string;
  readonly slot: number;
  readonly type: CelType;
  readonly size: number;
  readonly outer: Scope | undefined;
}

/** What a loop gathers its list in. */
interface Gathering {
  readonly name: string;
  readonly slot: number;
  element: CelType | undefined;
}

type Kind<Case extends Expr['exprKind']['case']> =
  Extract<Expr['exprKind'], { case: Case }> extends {
    value: infer Value;
  }
    ? Value
    : never;

/** Turns one parsed expression into functions and finds its type. What is wrong is gathered, and is of any type. */
export class Compiler {
  readonly issues: Issue[] = [];
  readonly #parsed: ParsedText;
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #optionalAt: ReadonlySet<number>;
  #slots = 0;
  #gathering: Gathering | undefined;

  /** @param optionalAt where `.?` and `[?` stood. */
  constructor(parsed: ParsedText, variables: ReadonlyMap<string, CelType>, optionalAt: ReadonlySet<number>) {
    this.#parsed = parsed;
    this.#variables = variables;
    this.#optionalAt = optionalAt;
  }

  compile(expr: Expr | undefined, scope?: Scope): Part {
    if (expr === undefined) return this.#fail(undefined, 'missing expression');
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'constExpr':
        return constant(exprKind.value);
      case 'identExpr':
        return this.#name(expr, exprKind.value.name, scope);
      case 'selectExpr':
        return this.#select(expr, exprKind.value, scope);
      case 'callExpr':
        return this.#call(expr, exprKind.value, scope);
      case 'listExpr':
        return this.#list(exprKind.value, scope);
      case 'structExpr':
        return this.#struct(expr, exprKind.value, scope);
      case 'comprehensionExpr':
        return this.#loop(exprKind.value, scope);
      default:
        return this.#fail(expr, 'unsupported expression');
    }
  }

  #fail(expr: Expr | undefined, text: string): Part {
    this.issues.push({ offset: this.#offsetOf(expr), text });
    const failure = new Failure(text);
    return { type: dyn, run: () => failure, cost: 0, size: 1 };
  }

  #offsetOf(expr: Expr | undefined): number {
    return expr === undefined ? 0 : (this.#parsed.positions[String(expr.id)] ?? 0);
  }

  #name(expr: Expr, given: string, scope: Scope | undefined): Part {
    const name = given.replace(/^\./, '');
    for (let each = scope; each !== undefined; each = each.outer) {
      if (each.name !== name) continue;
      const { slot, type, size } = each;
      return { type, size, cost: 1, run: localRun(slot) };
    }
    const type = this.#variables.get(name);
    if (type !== undefined) {
      return { type, size: sizeOf(type), cost: 1, run: variableRun(name) };
    }
    const named = typeNames.get(name);
    if (named !== undefined) return { type: simpleType('type'), size: 1, cost: 1, run: () => named };
    return this.#fail(expr, `undeclared reference to '${name}' (in container '')`);
  }

  #select(expr: Expr, { operand, field, testOnly }: Kind<'selectExpr'>, scope: Scope | undefined): Part {
    const from = this.compile(operand, scope);
    const isMarked = this.#optionalAt.has(this.#offsetOf(expr));
    const name = isMarked ? field.slice(1) : field;
    const [fieldType, isThere] = this.#fieldType(expr, from.type, name);
    if (!isThere) return this.#fail(expr, `undefined field '${name}'`);
    const base = { cost: from.cost + 1, size: sizeOf(fieldType) };
    if (testOnly) return { ...base, type: bool, size: 1, run: presence(from.run, name) };
    if (isMarked || from.type.kind === 'optional') {
      return { ...base, type: optionalOf(fieldType), run: optionalAccess(from.run, () => name) };
    }
    return { ...base, type: fieldType, run: access(from.run, name) };
  }

  #fieldType(expr: Expr, type: CelType, name: string): [CelType, boolean] {
    switch (type.kind) {
      case 'object': {
        const found = type.field(name);
        return [found ?? dyn, found !== undefined];
      }
      case 'map':
        return [type.value, true];
      case 'optional':
        return this.#fieldType(expr, type.of, name);
      default:
        if (!isDyn(type)) this.#fail(expr, `type '${typeText(type)}' does not support field selection`);
        return [dyn, true];
    }
  }

  #list({ elements }: Kind<'listExpr'>, scope: Scope | undefined): Part {
    const parts = elements.map((each) => this.compile(each, scope));
    const type = listOf(joinAll(parts.map((part) => part.type)));
    const runs = parts.map(({ run }) => run);
    const run: Run = (frame) => {
      frame.meter.charge(1 + runs.length);
      return evaluateAll(runs, frame);
    };
    return { type, run, cost: 1 + totalCost(parts), size: parts.length };
  }

  #struct(expr: Expr, { messageName, entries }: Kind<'structExpr'>, scope: Scope | undefined): Part {
    if (messageName !== '')
      return this.#fail(expr, `undeclared reference to '${messageName}' (in container '')`);
    const keys: Part[] = [];
    const values: Part[] = [];
    for (const { keyKind, value } of entries) {
      if (keyKind.case !== 'mapKey') return this.#fail(expr, 'unsupported map entry');
      keys.push(this.compile(keyKind.value, scope));
      values.push(this.compile(value, scope));
    }
    const type = mapOf(joinAll(keys.map((key) => key.type)), joinAll(values.map((value) => value.type)));
    const [keyRuns, valueRuns] = [keys.map(({ run }) => run), values.map(({ run }) => run)];
    const run: Run = (frame) => {
      frame.meter.charge(1 + keyRuns.length);
      const [names, items] = [evaluateAll(keyRuns, frame), evaluateAll(valueRuns, frame)];
      if (names instanceof Failure) return names;
      return items instanceof Failure ? items : makeMap(names, items);
    };
    return { type, run, cost: 1 + totalCost([...keys, ...values]), size: keys.length };
  }

  #call(expr: Expr, call: Kind<'callExpr'>, scope: Scope | undefined): Part {
    const { function: name, target, args } = call;
    if (target !== undefined) return this.#member(expr, call, scope);
    const gathered = this.#gather(name, args, scope);
    if (gathered !== undefined) return gathered;
    const parts = args.map((arg) => this.compile(arg, scope));
    const [first, second, third] = parts;
    if (first !== undefined && second !== undefined) {
      if (name === '_&&_' || name === '_||_') return this.#logical(expr, name, first, second);
      if (name === '_[_]') return this.#index(expr, first, second);
      if (name === '_?_:_' && third !== undefined) return this.#choice(expr, first, second, third);
    }
    if (name === '@not_strictly_false' && first !== undefined) {
      return { ...first, type: bool, run: (frame) => first.run(frame) !== false };
    }
    return this.#apply(expr, name, parts, false);
  }

  #member(expr: Expr, { function: name, target, args }: Kind<'callExpr'>, scope: Scope | undefined): Part {
    const space = target?.exprKind.case === 'identExpr' ? target.exprKind.value.name : undefined;
    if (space !== undefined && isFunction(`${space}.${name}`, false) && !this.#isKnown(space, scope)) {
      return this.#apply(
        expr,
        `${space}.${name}`,
        args.map((arg) => this.compile(arg, scope)),
        false,
      );
    }
    const on = this.compile(target, scope);
    if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) {
      return this.#optionalMap(expr, name, on, args, scope);
    }
    return this.#apply(expr, name, [on, ...args.map((arg) => this.compile(arg, scope))], true);
  }

  #isKnown(name: string, scope: Scope | undefined): boolean {
    for (let each = scope; each !== undefined; each = each.outer) if (each.name === name) return true;
    return this.#variables.has(name);
  }

  /** An ordinary function. */
  #apply(expr: Expr, name: string, parts: readonly Part[], isMember: boolean): Part {
    const types = parts.map((part) => part.type);
    if (!isFunction(name, isMember)) {
      return this.#fail(expr, `undeclared reference to '${name}' (in container '')`);
    }
    const type = callType(name, types, isMember);
    if (type === undefined) {
      return this.#fail(expr, `found no matching overload for ${callText(name, types, isMember)}`);
    }
    const cost = 1 + totalCost(parts) + callCost(name, parts);
    const size = isDyn(type) || !hasSize(type) ? 1 : parts.reduce((sum, part) => sum + part.size, 0);
    const [text, pattern] = parts;
    if (name === 'matches' && text !== undefined && typeof pattern?.constant === 'string') {
      const compiled = this.#pattern(expr, pattern.constant);
      return compiled === undefined ? text : { type, size, cost, run: matchConstant(text.run, compiled) };
    }
    const invoke = createCall(name, parts.length, isMember);
    const runs = parts.map(({ run }) => run);
    return { type, size, cost, run: callRun(runs, invoke) };
  }

  /** The pattern of a text in the expression, compiled once; undefined when that failed, which is told. */
  #pattern(expr: Expr, text: string): Pattern | undefined {
    const meter = new Meter(maxExpressionCost);
    meter.begin();
    const pattern = compileText(text, meter);
    if (!(pattern instanceof Failure)) return pattern;
    this.#fail(expr, pattern.message);
    return undefined;
  }

  #logical(expr: Expr, name: string, left: Part, right: Part): Part {
    for (const part of [left, right]) {
      if (!isDyn(part.type) && part.type !== bool) {
        return this.#fail(
          expr,
          `found no matching overload for ${callText(name, [left.type, right.type], false)}`,
        );
      }
    }
    const run = logicalRun(left.run, right.run, name === '_||_');
    return { type: bool, size: 1, cost: left.cost + right.cost + 1, run };
  }

  #choice(expr: Expr, condition: Part, yes: Part, no: Part): Part {
    const types = [condition, yes, no].map((part) => part.type);
    const fits = isDyn(condition.type) || condition.type === bool;
    const type = joinTypes(yes.type, no.type);
    const areAlike = isDyn(yes.type) || isDyn(no.type) || !isDyn(type);
    if (!fits || !areAlike) {
      return this.#fail(expr, `found no matching overload for ${callText('_?_:_', types, false)}`);
    }
    return {
      type,
      size: Math.max(yes.size, no.size),
      cost: condition.cost + Math.max(yes.cost, no.cost) + 1,
      run(frame) {
        const chosen = condition.run(frame);
        if (chosen === true) return yes.run(frame);
        if (chosen === false) return no.run(frame);
        return chosen instanceof Failure ? chosen : new Failure('no such overload');
      },
    };
  }

  #index(expr: Expr, of: Part, key: Part): Part {
    const isOptional = this.#optionalAt.has(this.#offsetOf(expr)) || of.type.kind === 'optional';
    const on = of.type.kind === 'optional' ? of.type.of : of.type;
    const type = indexType(on, key.type);
    if (type === undefined) {
      return this.#fail(expr, `found no matching overload for ${callText('_[_]', [on, key.type], false)}`);
    }
    const base = { cost: of.cost + key.cost + 1, size: sizeOf(type) };
    if (isOptional) return { ...base, type: optionalOf(type), run: optionalAccess(of.run, key.run) };
    return { ...base, type, run: indexRun(of.run, key.run) };
  }

  #optionalMap(expr: Expr, name: string, on: Part, args: readonly Expr[], scope: Scope | undefined): Part {
    const [variable, body] = args;
    if (variable?.exprKind.case !== 'identExpr')
      return this.#fail(variable, 'argument must be a simple name');
    const slot = this.#slots++;
    const of = on.type.kind === 'optional' ? on.type.of : dyn;
    if (on.type.kind !== 'optional' && !isDyn(on.type)) {
      return this.#fail(expr, `found no matching overload for '${name}' applied to '${typeText(on.type)}'`);
    }
    const inner = { name: variable.exprKind.value.name, slot, type: of, size: sizeOf(of), outer: scope };
    const part = this.compile(body, inner);
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

  /** A macro: a loop over a list, or the keys of a map. */
  #loop(loop: Kind<'comprehensionExpr'>, scope: Scope | undefined): Part {
    const range = this.compile(loop.iterRange, scope);
    const element = elementOf(range.type);
    if (element === undefined) {
      const text = `expression of type '${typeText(range.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      return this.#fail(loop.iterRange, text);
    }
    const [accuSlot, itemSlot] = [this.#slots++, this.#slots++];
    const init = this.compile(loop.accuInit, scope);
    const outerGathering = this.#gathering;
    const gathers = loop.accuInit?.exprKind.case === 'listExpr';
    const gathering: Gathering = { name: loop.accuVar, slot: accuSlot, element: undefined };
    this.#gathering = gathers ? gathering : undefined;
    const accu = { name: loop.accuVar, slot: accuSlot, type: init.type, size: range.size, outer: scope };
    const size = sizeOf(element);
    const inner = { name: loop.iterVar, slot: itemSlot, type: element, size, outer: accu };
    const condition = this.compile(loop.loopCondition, inner);
    const step = this.compile(loop.loopStep, inner);
    const result = this.compile(loop.result, accu);
    this.#gathering = outerGathering;
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

  /** `list + [item]` in a loop that makes a list: the item is appended, rather than the list copied. */
  #gather(name: string, args: readonly Expr[], scope: Scope | undefined): Part | undefined {
    const [left, right] = args;
    const gathering = this.#gathering;
    if (gathering === undefined || name !== '_+_') return undefined;
    if (left?.exprKind.case !== 'identExpr' || left.exprKind.value.name !== gathering.name) return undefined;
    if (right?.exprKind.case !== 'listExpr') return undefined;
    const { slot } = gathering;
    const item = this.compile(right.exprKind.value.elements[0], scope);
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
}

function constant({ constantKind }: Kind<'constExpr'>): Part {
  const [type, value] = constantOf(constantKind);
  const size = typeof value === 'string' ? value.length : 1;
  return { type, size, cost: 0, run: () => value, constant: value };
}

function constantOf(kind: Kind<'constExpr'>['constantKind']): [CelType, Value] {
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
