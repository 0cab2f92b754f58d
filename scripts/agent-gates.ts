import { type FeatureGate, featureGates } from '../src/config/serve/index.ts';
import effects from '../src/nodeagent/options/gate-effects.json' with { type: 'json' };

/** What a gate does in the node agent: an effect with the test that shows it, or why there is none. */
export interface AgentGate {
  readonly name: string;
  readonly gate: FeatureGate;
  readonly effect?: string;
  readonly test?: string;
  readonly noEffect?: string;
}

/** Gates of which something is to be said: all that are open, and those of the decided ones that switch something. */
export const agentGates: readonly AgentGate[] = Object.entries(effects).map(([name, told]) => {
  const gate = featureGates.get(name);
  if (gate === undefined) throw new RangeError(`no gate ${name}`);
  return { name, gate, ...told };
});

/** `alpha`, `beta`, `GA`, with what cannot be turned marked. */
export function stageText({ stage, locked }: FeatureGate): string {
  const text = stage === 'GA' ? 'GA' : stage.toLowerCase();
  return locked ? `${text}, locked` : text;
}
