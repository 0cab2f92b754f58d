import { effectiveFeatureGates } from '../../src/config/serve/index.ts';

/** Feature gates that are on in a server that is not told otherwise, but for those named, which are turned over. */
export function defaultGates(switches: Readonly<Record<string, boolean>> = {}): ReadonlySet<string> {
  const gates = Object.entries({ ...effectiveFeatureGates({}), ...switches });
  return new Set(gates.flatMap(([name, isOn]) => (isOn ? [name] : [])));
}
