import type { Toleration } from '../../apis/types/core-v1.ts';
import { isJsonObject } from '../../base/index.ts';
import { isLabelValue, isQualifiedName } from '../../machinery/formats/index.ts';

/** Tolerations that cannot be read; the message names what is wrong with which. */
export class TolerationsError extends Error {
  override readonly name = 'TolerationsError';
}

const texts = ['key', 'operator', 'value', 'effect'] as const;
const known: readonly string[] = [...texts, 'tolerationSeconds'];

/**
 * The tolerations of a list that did not come in an object. With `isStrict` they must also make sense, as those of pods do, and
 * have no other members; without, other members are passed over, as release 1.20 does in annotations.
 *
 * @throws TolerationsError
 */
export function readTolerations(
  value: unknown,
  path: string,
  { isStrict }: { readonly isStrict: boolean },
): Toleration[] {
  if (!Array.isArray(value)) throw new TolerationsError(`${path}: must be a list of tolerations`);
  return value.map((item, index) => {
    const at = `${path}[${index}]`;
    const toleration = readToleration(item, at);
    const problem = isStrict ? findProblem(item, toleration) : undefined;
    if (problem !== undefined) throw new TolerationsError(`${at}.${problem}`);
    return toleration;
  });
}

function readToleration(value: unknown, path: string): Toleration {
  if (!isJsonObject(value)) throw new TolerationsError(`${path}: must be an object`);
  const toleration: Toleration = {};
  for (const name of texts) {
    const text = value[name] ?? '';
    if (typeof text !== 'string') throw new TolerationsError(`${path}.${name}: must be a text`);
    if (text !== '') toleration[name] = text;
  }
  const { tolerationSeconds: seconds } = value;
  if (seconds === undefined || seconds === null) return toleration;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) {
    throw new TolerationsError(`${path}.tolerationSeconds: must be a whole number`);
  }
  return { ...toleration, tolerationSeconds: seconds };
}

/** The member that makes no sense, and why. */
function findProblem(item: object, { tolerationSeconds, ...texts }: Toleration): string | undefined {
  const { key = '', operator = '', value = '', effect = '' } = texts;
  const unknown = Object.keys(item).find((name) => !known.includes(name));
  if (unknown !== undefined) return `${unknown}: no such field`;
  if (!['', 'Equal', 'Exists'].includes(operator)) return 'operator: must be Equal or Exists';
  if (!['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect)) return 'effect: no such effect';
  if (key === '' && operator !== 'Exists') return 'operator: must be Exists when the key is empty';
  const [badKey] = key === '' ? [] : isQualifiedName(key);
  if (badKey !== undefined) return `key: ${badKey}`;
  if (operator === 'Exists' && value !== '') return 'value: must be empty when the operator is Exists';
  const [badValue] = isLabelValue(value);
  if (badValue !== undefined) return `value: ${badValue}`;
  if (tolerationSeconds !== undefined && effect !== 'NoExecute')
    return 'effect: must be NoExecute with tolerationSeconds';
  return undefined;
}
