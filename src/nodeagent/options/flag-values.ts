import { type AnyOptionValue, joinValues, type Parsed, parseValue, refuse } from '../../config/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { AgentOption } from './option-table.ts';
import { agentPhrases } from './phrases.ts';

/** A flag's value when it is given with these texts, in their order: lists and maps grow, of others the last counts. */
export function parseFlagTexts(option: AgentOption, texts: readonly string[]): Parsed<AnyOptionValue> {
  const { type, loneValue } = option;
  let value: AnyOptionValue | undefined;
  for (const text of texts) {
    const parsed = parseValue(
      { type, ...(loneValue === undefined ? {} : { loneValue }) },
      text,
      agentPhrases,
    );
    if ('problem' in parsed) {
      const detail = option.terse ? 'parse error' : parsed.problem;
      return refuse(`invalid argument ${quoteGo(text)} for "${flagTitle(option)}" flag: ${detail}`);
    }
    value = value === undefined ? parsed.value : joinValues(type, value, parsed.value);
  }
  return { value: value ?? '' };
}

function flagTitle({ flag, short }: AgentOption): string {
  return short === undefined ? `--${flag}` : `-${short}, --${flag}`;
}
