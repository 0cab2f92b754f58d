import type { Pattern } from '../schema/structural/index.ts';
import { budgetOf } from './functions/index.ts';
import type { Meter } from './meter.ts';
import { numberOf } from './operations.ts';
import { Failure, isList, MadeMap, MapValue, Optional, type Value } from './values.ts';

/** One run of an expression. */
export interface Frame {
  /** What names stand for that were declared from outside. */
  readonly variable: (name: string) => Value | Failure;
  /** What loops have bound, by place. */
  readonly locals: (Value | Failure)[];
  /** Lists that loops are making, by place. */
  readonly gathered: Value[][];
  readonly meter: Meter;
}

/** A part of an expression as a function. @throws CostExceeded */
export type Run = (frame: Frame) => Value | Failure;

/** What a loop bound at a place. */
export function localRun(slot: number): Run {
  return ({ locals, meter }) => {
    meter.charge(1);
    return locals[slot] ?? null;
  };
}

/** What a declared name stands for. */
export function variableRun(name: string): Run {
  return ({ variable, meter }) => {
    meter.charge(1);
    return variable(name);
  };
}

/** The values of all parts, or the first failure. */
export function evaluateAll(runs: readonly Run[], frame: Frame): readonly Value[] | Failure {
  const values: Value[] = [];
  for (const run of runs) {
    const value = run(frame);
    if (value instanceof Failure) return value;
    values.push(value);
  }
  return values;
}

/** A map of keys and values. */
export function makeMap(names: readonly Value[], items: readonly Value[]): Value | Failure {
  const made = new MadeMap();
  for (const [at, name] of names.entries()) {
    const added = made.add(name, items[at] ?? null);
    if (added === undefined) return new Failure('unsupported key type');
    if (!added) return new Failure(`map key conflict: ${String(name)}`);
  }
  return made;
}

/** A call of a function. */
export function callRun(
  runs: readonly Run[],
  invoke: (args: readonly Value[], meter: Meter) => Value | Failure,
): Run {
  const [first, second] = runs;
  if (runs.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const a = first(frame);
      if (a instanceof Failure) return a;
      const b = second(frame);
      return b instanceof Failure ? b : invoke([a, b], frame.meter);
    };
  }
  return (frame) => {
    const args = evaluateAll(runs, frame);
    return args instanceof Failure ? args : invoke(args, frame.meter);
  };
}

/** Whether a text has a part that matches a pattern of the expression. */
export function matchConstant(text: Run, pattern: Pattern): Run {
  return (frame) => {
    const value = text(frame);
    if (value instanceof Failure) return value;
    frame.meter.charge(1);
    return typeof value === 'string'
      ? pattern.isIn(value, budgetOf(frame.meter))
      : new Failure('no such overload');
  };
}

/** `decides` decides, also when the other side fails. */
export function logicalRun(left: Run, right: Run, decides: boolean): Run {
  return (frame) => {
    frame.meter.charge(1);
    const one = left(frame);
    if (one === decides) return decides;
    const other = right(frame);
    if (other === decides) return decides;
    if (one instanceof Failure) return one;
    if (other instanceof Failure) return other;
    return typeof one === 'boolean' && typeof other === 'boolean'
      ? !decides
      : new Failure('no such overload');
  };
}

const noKey = (name: Value): Failure => new Failure(`no such key: ${String(name)}`);

function lookUp(value: Value, name: Value): Value | Failure | undefined {
  if (value instanceof MapValue) return value.get(name);
  if (!isList(value)) return new Failure('no such overload');
  const number = numberOf(name);
  if (number === undefined || (typeof number === 'number' && !Number.isInteger(number))) {
    return new Failure(`unsupported index value in list: ${String(name)}`);
  }
  return value[Number(number)];
}

/** A field. */
export function access(of: Run, name: string): Run {
  return (frame) => {
    frame.meter.charge(1);
    const value = of(frame);
    if (value instanceof MapValue) {
      const found = value.get(name);
      return found === undefined ? noKey(name) : found;
    }
    if (value instanceof Optional) return accessOptional(value, name);
    return value instanceof Failure ? value : new Failure('no such overload');
  };
}

/** Whether a field is there. */
export function presence(of: Run, name: string): Run {
  return (frame) => {
    frame.meter.charge(1);
    const value = of(frame);
    if (value instanceof Failure) return value;
    const inside = value instanceof Optional ? value.value : value;
    if (inside === undefined) return false;
    if (!(inside instanceof MapValue)) return new Failure('no such overload');
    const found = inside.get(name);
    return found instanceof Failure ? found : found !== undefined;
  };
}

/** An item of a list, or of a map. */
export function indexRun(of: Run, key: Run): Run {
  return (frame) => {
    frame.meter.charge(1);
    const value = of(frame);
    if (value instanceof Failure) return value;
    const name = key(frame);
    if (name instanceof Failure) return name;
    if (value instanceof Optional) return accessOptional(value, name);
    const found = lookUp(value, name);
    if (found !== undefined) return found;
    return isList(value) ? new Failure(`index out of bounds: ${String(numberOf(name))}`) : noKey(name);
  };
}

function accessOptional(value: Optional, name: Value): Value | Failure {
  if (value.value === undefined) return value;
  const found = lookUp(value.value, name);
  if (found instanceof Failure) return found;
  return found === undefined ? Optional.none : new Optional(found);
}

/** A field or an item that may be missing. */
export function optionalAccess(of: Run, key: Run): Run {
  return (frame) => {
    frame.meter.charge(1);
    const value = of(frame);
    if (value instanceof Failure) return value;
    const name = key(frame);
    if (name instanceof Failure) return name;
    return accessOptional(value instanceof Optional ? value : new Optional(value), name);
  };
}

/** The parts of a loop; one that makes a list gathers it in place. */
export interface LoopRuns {
  readonly range: Run;
  readonly init: Run | 'list';
  readonly condition: Run;
  readonly step: Run;
  readonly result: Run;
  readonly accuSlot: number;
  readonly itemSlot: number;
}

/** A loop over a list, or the keys of a map. */
export function loopRun({ range, init, condition, step, result, accuSlot, itemSlot }: LoopRuns): Run {
  return (frame) => {
    const { locals, meter } = frame;
    const over = range(frame);
    if (over instanceof Failure) return over;
    const items = isList(over) ? over : over instanceof MapValue ? over.keys() : undefined;
    if (items === undefined) return new Failure('no such overload');
    const list: Value[] = [];
    const start = init === 'list' ? list : init(frame);
    if (start instanceof Failure) return start;
    locals[accuSlot] = start;
    frame.gathered[accuSlot] = list;
    for (const item of items) {
      meter.charge(1);
      locals[itemSlot] = item;
      const goesOn = condition(frame);
      if (goesOn instanceof Failure) return goesOn;
      if (goesOn !== true) break;
      const next = step(frame);
      if (next instanceof Failure && init === 'list') return next;
      // A failure may be made good by a later round: `all` and `exists` need one that decides.
      locals[accuSlot] = next;
    }
    return result(frame);
  };
}
