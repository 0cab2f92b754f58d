import { nearestName } from '../../config/index.ts';
import {
  effectiveFeatureGates,
  type FeatureGateName,
  featureGates,
  featureGateWarnings,
} from '../../config/serve/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentProblem } from './problem.ts';

type Switches = Readonly<Record<string, boolean>>;

/** Whether each known feature is on. */
export type AgentFeatures = Readonly<Record<FeatureGateName, boolean>>;

/** The features after the given switches, which have the names of the data. */
export function effectiveFeatures(given: Switches): AgentFeatures {
  return effectiveFeatureGates(given);
}

/** Switches of unknown features, and of features that cannot be turned any more. */
export function featureGateProblems(given: Switches, dialect: Dialect): AgentProblem[] {
  return Object.entries(given).flatMap(([key, isOn]): AgentProblem[] => {
    const gate = featureGates.get(key);
    const name = dialect.spell(key);
    if (gate === undefined) {
      const near = nearestName(
        name,
        [...featureGates.keys()].map((known) => dialect.spell(known)),
      );
      const advice = near === undefined ? {} : { advice: `did you mean ${near}?` };
      return [{ text: `unrecognized feature gate: ${name}`, names: ['--feature-gates'], ...advice }];
    }
    if (!gate.locked || isOn === gate.default) return [];
    const text = `cannot set feature gate ${name} to ${isOn}, feature is locked to ${gate.default}`;
    return [{ text, names: ['--feature-gates'] }];
  });
}

/** What is worth saying about the switches. */
export function agentFeatureWarnings(given: Switches, features: AgentFeatures, dialect: Dialect): string[] {
  const combined = Object.entries(features).flatMap(([name, isOn]) => {
    const needed = /^(CSIMigration.+)Complete$/.exec(name)?.[1];
    if (
      !isOn ||
      needed === undefined ||
      Object.entries(features).some(([other, on]) => other === needed && on)
    )
      return [];
    return [
      `Unexpected CSI Migration Feature Flags combination detected: enabling "${dialect.spell(name)}" requires "${dialect.spell(needed)}" to be enabled. CSI Migration may not take effect`,
    ];
  });
  return [...featureGateWarnings(given, (name) => dialect.spell(name)), ...combined];
}
