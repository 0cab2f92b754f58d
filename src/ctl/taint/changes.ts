import type { Taint } from '../../apis/types/core-v1.ts';
import { isLabelValue, isQualifiedName } from '../../machinery/formats/index.ts';
import { CtlError, UsageError } from '../errors.ts';

/** A taint to take away; without an effect all taints with the key. */
export interface TaintToRemove {
  readonly key: string;
  readonly effect: string;
}

/** What a command line wants of the taints of every node. */
export interface TaintChanges {
  readonly add: readonly Taint[];
  readonly remove: readonly TaintToRemove[];
}

/** The taints of a node afterwards, and what that is called. */
export interface ChangedTaints {
  readonly taints: readonly Taint[];
  readonly operation: 'tainted' | 'untainted' | 'modified';
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Separates `nodes n1` from `a=b:NoSchedule c-`. @throws CtlError when one of the two is missing, or a resource follows a taint */
export function splitTaintArguments(args: readonly string[]) {
  const isTaint = (text: string) => /[=:]/.test(text) || text.endsWith('-');
  const first = args.findIndex(isTaint);
  const at = first < 0 ? args.length : first;
  const stray = args.slice(at).find((text) => !isTaint(text));
  if (stray !== undefined)
    throw new CtlError(`all resources must be specified before taint changes: ${stray}`);
  if (at === 0) throw new CtlError('one or more resources must be specified as <resource> <name>');
  if (at === args.length) throw new CtlError('at least one taint update is required');
  return { resources: args.slice(0, at), specs: args.slice(at) };
}

/** Reads `key=value:Effect`, `key:Effect`, `key:Effect-` and `key-`. @throws UsageError or CtlError as release 1.20 words it */
export function parseTaintChanges(specs: readonly string[]): TaintChanges {
  const add: Taint[] = [];
  const remove: TaintToRemove[] = [];
  for (const spec of specs) {
    if (spec.endsWith('-')) {
      remove.push(parseTaint(spec.slice(0, -1)));
      continue;
    }
    const taint = parseTaint(spec);
    if (taint.effect === '') throw invalid(spec);
    if (add.some((other) => isSame(other, taint))) {
      const { key, value = '', effect } = taint;
      throw new UsageError(
        `duplicated taints with the same key and effect: {${key} ${value} ${effect} <nil>}`,
      );
    }
    add.push(taint);
  }
  const clashes = add.flatMap((taint) =>
    remove
      .filter(({ key, effect }) => key === taint.key && (effect === '' || effect === taint.effect))
      .map(({ key, effect }) => JSON.stringify({ [key]: effect })),
  );
  if (clashes.length > 0) {
    throw new CtlError(
      `can not both modify and remove the following taint(s) in the same command: ${clashes.join(', ')}`,
    );
  }
  return { add, remove };
}

function parseTaint(spec: string): Taint {
  const [pair = '', effect = '', ...rest] = spec.split(':');
  const [key = '', value, ...more] = spec.includes(':') ? pair.split('=') : [pair];
  if (rest.length > 0 || more.length > 0) throw invalid(spec);
  if (spec.includes(':') && !effects.includes(effect)) {
    throw new UsageError(`invalid taint effect: ${effect}, unsupported taint effect`);
  }
  const problems = value === undefined ? [] : isLabelValue(value);
  const wrong = problems.length > 0 ? problems : isQualifiedName(key);
  if (wrong.length > 0) throw invalid(spec, wrong);
  return { key, effect, ...(value === undefined ? {} : { value }) };
}

function invalid(spec: string, problems: readonly string[] = []): UsageError {
  return new UsageError([`invalid taint spec: ${spec}`, problems.join('; ')].filter(Boolean).join(', '));
}

function isSame(a: TaintToRemove, b: TaintToRemove): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** The keys among those to add that a node carries with the same effect already. */
export function findTaken(current: readonly Taint[], { add }: TaintChanges): readonly string[] {
  return add.filter((taint) => current.some((old) => isSame(old, taint))).map(({ key }) => key);
}

/** Carries the changes out: what is new comes first. @throws CtlError for a taint to remove that is not there */
export function changeTaints(
  current: readonly Taint[],
  { add, remove }: TaintChanges,
  isOverwriting: boolean,
): ChangedTaints {
  let taints = [...add, ...current.filter((old) => !add.some((taint) => isSame(old, taint)))];
  const isAdded = taints.length !== current.length;
  for (const { key, effect } of remove) {
    const left = taints.filter((taint) => taint.key !== key || (effect !== '' && taint.effect !== effect));
    if (left.length === taints.length) {
      throw new CtlError(`taint ${JSON.stringify(effect === '' ? key : `${key}:${effect}`)} not found`);
    }
    taints = left;
  }
  if ((isAdded && remove.length > 0) || isOverwriting) return { taints, operation: 'modified' };
  return { taints, operation: isAdded ? 'tainted' : 'untainted' };
}
