import { nearestName } from '../../config/index.ts';
import {
  effectiveFeatureGates,
  type FeatureGateName,
  featureGates,
  featureGateWarnings,
} from '../../config/serve/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import effects from './gate-effects.json' with { type: 'json' };
import type { AgentProblem } from './problem.ts';

/** What the agent does with a gate. */
interface GateEffect {
  readonly effect?: string;
  readonly noEffect?: string;
  /** Of a gate without effect: how the agent behaves, whatever the gate says. */
  readonly actsAs?: boolean;
}

const gateEffects: ReadonlyMap<string, GateEffect> = new Map<string, GateEffect>(Object.entries(effects));

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
  const spell = (name: string): string => dialect.spell(name);
  const noEffect = (name: string, isOn: boolean) => noEffectInAgent(name, isOn, spell);
  return [...featureGateWarnings(given, spell, noEffect), ...migrationWarnings(features, spell)];
}

/** Why a switch changes nothing here; undefined where it does, and for gates of other programs: one list serves them all. */
function noEffectInAgent(name: string, isOn: boolean, spell: (name: string) => string): string | undefined {
  const told = gateEffects.get(name);
  if (told?.noEffect === undefined || told.actsAs === undefined || told.actsAs === isOn) return undefined;
  return `has no effect in ${spell('nodeagent')}: ${spell(told.noEffect)}`;
}

/** Gates of providers that lack another one, in release 1.20's words. */
function migrationWarnings(features: AgentFeatures, spell: (name: string) => string): string[] {
  const isOn = new Map(Object.entries(features));
  return Object.keys(features).flatMap((name) => {
    const [, provider, complete] = /^(CSIMigration.+?)(Complete)?$/.exec(name) ?? [];
    if (provider === undefined || isOn.get(name) !== true) return [];
    const needed = complete === undefined ? 'CSIMigration' : provider;
    if (isOn.get(needed) === true) return [];
    const what = `enabling "${spell(name)}" requires ${complete ? `"${spell(needed)}"` : needed} to be enabled`;
    return [
      `Unexpected CSI Migration Feature Flags combination detected: ${what}. CSI Migration may not take effect`,
    ];
  });
}
