import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import type { TopologySpreadConstraint } from '../../types/core-v1.ts';
import allowed from './allowed-values.json' with { type: 'json' };

/** Errors of how pods spread over a topology; a key and an action make one constraint. */
export function checkTopologySpread(
  errors: FieldError[],
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): void {
  for (const [position, constraint] of constraints.entries()) {
    const { maxSkew, topologyKey, whenUnsatisfiable } = constraint;
    const at = path.index(position);
    if (maxSkew <= 0) errors.push(invalidValue(at.child('maxSkew'), maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!allowed.whenUnsatisfiable.includes(whenUnsatisfiable)) {
      const actionPath = at.child('whenUnsatisfiable');
      errors.push(notSupported(actionPath, whenUnsatisfiable, allowed.whenUnsatisfiable));
    }
    const isRepeated = constraints
      .slice(position + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (!isRepeated) continue;
    const pair = at.child('{topologyKey, whenUnsatisfiable}');
    errors.push(duplicate(pair, `{${topologyKey}, ${whenUnsatisfiable}}`));
  }
}
