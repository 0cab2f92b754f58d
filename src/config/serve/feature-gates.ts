import { nearestName } from '../nearest-name.ts';
import gates from './feature-gates.json' with { type: 'json' };

/** A feature that `--feature-gates` knows, in the spelling of the data: the registry that release 1.20's programs share. */
export type FeatureGateName = keyof typeof gates;

/** What is known about a feature. */
export interface FeatureGate {
  /** `ALPHA`, `BETA`, `GA` or `DEPRECATED`. */
  readonly stage: string;
  readonly default: boolean;
  /** The feature cannot be turned from its default any more. */
  readonly locked?: boolean;
  /** What it switches in `orch serve`. */
  readonly effect?: string;
  /** The test that shows the effect. */
  readonly test?: string;
  /** Why it switches nothing in `orch serve`; said of every gate that can be turned and has no effect. */
  readonly noEffect?: string;
}

type FeatureSwitches = Readonly<Record<string, boolean>>;

const known: ReadonlyMap<string, FeatureGate> = new Map<string, FeatureGate>(Object.entries(gates));

/** The features that all programs of the release know, by name. */
export const featureGates: ReadonlyMap<string, FeatureGate> = known;

/** Whether each known feature is on, after the given switches; `AllAlpha` and `AllBeta` move what is not named. */
export function effectiveFeatureGates(given: FeatureSwitches): Readonly<Record<FeatureGateName, boolean>> {
  const effective: Record<string, boolean> = {};
  for (const [name, gate] of known) {
    const stageSwitch =
      gate.stage === 'ALPHA' ? given.AllAlpha : gate.stage === 'BETA' ? given.AllBeta : undefined;
    effective[name] = given[name] ?? stageSwitch ?? gate.default;
  }
  // Filled from the table that the names are computed from.
  return Object.freeze(effective) as Readonly<Record<FeatureGateName, boolean>>;
}

/** What is wrong with the given switches, one sentence each. `spell` gives names as their user writes them. */
export function featureGateProblems(given: FeatureSwitches, spell: (name: string) => string): string[] {
  return Object.entries(given).flatMap(([key, on]) => {
    const gate = known.get(key);
    const name = spell(key);
    if (gate === undefined) {
      const near = nearestName(name, [...known.keys()].map(spell));
      return [
        `--feature-gates: unrecognized feature gate: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
      ];
    }
    if (gate.locked && on !== gate.default) {
      return [
        `--feature-gates: cannot set feature gate ${name} to ${on}, feature is locked to ${gate.default}`,
      ];
    }
    return [];
  });
}

/**
 * What release 1.20 says about switches whose features are decided or on their way out, and which switches do nothing in a
 * program, by default `orch serve`; one sentence each. `spell` gives names as their user writes them.
 */
export function featureGateWarnings(
  given: FeatureSwitches,
  spell: (name: string) => string,
  noEffect = (name: string, isOn: boolean): string | undefined => noEffectInServer(name, isOn, spell),
): string[] {
  return Object.entries(given).flatMap(([name, on]) => {
    const gate = known.get(name);
    if (gate === undefined) return [];
    const switched = `${spell(name)}=${on}`;
    const warnings: string[] = [];
    if (gate.stage === 'GA' || gate.stage === 'DEPRECATED') {
      const word = gate.stage === 'GA' ? 'GA' : 'deprecated';
      warnings.push(`Setting ${word} feature gate ${switched}. It will be removed in a future release.`);
    }
    const why = noEffect(name, on);
    if (why !== undefined) warnings.push(`feature gate ${switched} ${why}`);
    return warnings;
  });
}

function noEffectInServer(name: string, isOn: boolean, spell: (name: string) => string): string | undefined {
  const gate = known.get(name);
  if (gate?.noEffect === undefined || isOn === gate.default) return undefined;
  return `has no effect in orch serve: ${spell(gate.noEffect)}`;
}

/** The features that are still open, as help shows them: `Name=true|false (BETA - default=true)`, sorted by name. */
export function describeFeatureGates(): readonly string[] {
  return [...known]
    .filter(([, { stage }]) => stage === 'ALPHA' || stage === 'BETA')
    .map(([name, gate]) => `${name}=true|false (${gate.stage} - default=${gate.default})`)
    .sort();
}
