import {
  FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  quoteGo,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { Taint } from '../types/core-v1.ts';
import { goPointer, goStruct, isLabelValue, validateLabelName } from '../validation/index.ts';

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Errors of a node's taints: key, value, effect, and that no key has an effect twice. */
export function validateTaints(taints: readonly Taint[] | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [at, taint] of (taints ?? []).entries()) {
    const taintPath = path.index(at);
    errors.push(...validateLabelName(taint.key, taintPath.child('key')));
    const problems = isLabelValue(taint.value ?? '');
    if (problems.length > 0) {
      errors.push(invalidValue(taintPath.child('value'), taint.value ?? '', problems.join(';')));
    }
    if (taint.effect === '') errors.push(required(taintPath.child('effect')));
    else if (!effects.includes(taint.effect)) {
      errors.push(notSupported(taintPath.child('effect'), taint.effect, effects));
    }
    const identity = `${taint.effect} ${taint.key}`;
    if (seen.has(identity)) {
      const detail = 'taints must be unique by key and effect pair';
      errors.push(new FieldError('duplicate', taintPath, new VerbatimValue(printTaint(taint)), detail));
    }
    seen.add(identity);
  }
  return errors;
}

const printTaint = ({ key, value, effect, timeAdded }: Taint): string =>
  goStruct('core.Taint', [
    ['Key', quoteGo(key)],
    ['Value', quoteGo(value ?? '')],
    ['Effect', quoteGo(effect)],
    ['TimeAdded', goPointer('v1.Time', timeAdded !== undefined && timeAdded !== null)],
  ]);
