import { nearestName } from '../nearest-name.ts';
import gates from './feature-gates.json' with { type: 'json' };

interface FeatureGate {
  readonly stage: string;
  readonly default: boolean;
}

const known: ReadonlyMap<string, FeatureGate> = new Map(Object.entries(gates));

/** Whether each known feature is on, after the given switches; `AllAlpha` and `AllBeta` move what is not named. */
export function effectiveFeatureGates(
  given: Readonly<Record<string, boolean>>,
): Readonly<Record<string, boolean>> {
  const effective: Record<string, boolean> = {};
  for (const [name, gate] of known) {
    const stageSwitch =
      gate.stage === 'ALPHA' ? given.AllAlpha : gate.stage === 'BETA' ? given.AllBeta : undefined;
    effective[name] = given[name] ?? stageSwitch ?? gate.default;
  }
  return Object.freeze(effective);
}

/** What is wrong with the given switches, one sentence each. */
export function featureGateProblems(given: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(given).flatMap(([name, on]) => {
    const gate = known.get(name);
    if (gate === undefined) {
      const near = nearestName(name, known.keys());
      return [
        `--feature-gates: unrecognized feature gate: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
      ];
    }
    if (gate.stage === 'GA' && !on) {
      return [`--feature-gates: cannot set feature gate ${name} to false, feature is locked to true`];
    }
    return [];
  });
}
