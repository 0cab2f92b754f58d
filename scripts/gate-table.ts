import { type FeatureGate, featureGates } from '../src/config/serve/index.ts';
import agentEffects from '../src/nodeagent/options/gate-effects.json' with { type: 'json' };

/** What is told of an option or a gate of one program: an effect with the test that shows it, or why there is none. */
export interface Told {
  readonly effect?: string | undefined;
  readonly test?: string | undefined;
  readonly noEffect?: string | undefined;
}

/** What a gate does in one program. */
export interface GateOfProgram extends Told {
  readonly name: string;
  readonly gate: FeatureGate;
}

/** Gates of which something is to be said: all that are open, and those of the decided ones that switch something. */
export const agentGates: readonly GateOfProgram[] = Object.entries(agentEffects).map(([name, told]) => {
  const gate = featureGates.get(name);
  if (gate === undefined) throw new RangeError(`no gate ${name}`);
  return { name, gate, ...told };
});

/** The same of the API server: all that can be turned. */
export const serverGates: readonly GateOfProgram[] = [...featureGates]
  .filter(([, { locked }]) => locked !== true)
  .map(([name, gate]) => ({ name, gate, effect: gate.effect, test: gate.test, noEffect: gate.noEffect }));

/** `alpha`, `beta`, `GA`, with what cannot be turned marked. */
export function stageText({ stage, locked }: FeatureGate): string {
  const text = stage === 'GA' ? 'GA' : stage.toLowerCase();
  return locked ? `${text}, locked` : text;
}

/** The gates of a program as a Markdown table. */
export function renderGateTable(gates: readonly GateOfProgram[]): string {
  const rows = gates.map(
    ({ name, gate, ...told }) =>
      `| ${code(name)} | ${stageText(gate)} | ${gate.default ? 'on' : 'off'} | ${effectText(told)} |`,
  );
  return `| Gate | Stage | Default | Effect |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** The effect with its test, or why there is none. */
export function effectText({ effect, test, noEffect }: Told): string {
  return effect === undefined ? `**none**: ${noEffect}` : `${effect} (${code(test ?? '')})`;
}

/** Markdown of a name or a value. */
export function code(text: string): string {
  return `\`${text}\``;
}
