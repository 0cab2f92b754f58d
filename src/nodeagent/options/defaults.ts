import { type AnyOptionValue, parseValue, recordOf, zeroValue } from '../../config/index.ts';
import { valueKind } from '../../config/typed-values/index.ts';
import { type AgentOption, agentOptions } from './option-table.ts';
import { agentPhrases } from './phrases.ts';

/** Defaults by key. Those of a configuration file differ where release 1.20's file and flags do. */
export function agentDefaults({ withFile }: { readonly withFile: boolean }): Map<string, AnyOptionValue> {
  return new Map(
    agentOptions.flatMap((option): [string, AnyOptionValue][] =>
      option.key === undefined ? [] : [[option.key, defaultOf(option, { withFile })]],
    ),
  );
}

/** One option's default. @throws TypeError for a default in the table that is no value of its type */
function defaultOf(option: AgentOption, { withFile }: { readonly withFile: boolean }): AnyOptionValue {
  const { type } = option;
  const raw = withFile && option.fileDefault !== undefined ? option.fileDefault : option.default;
  if (raw === undefined) return zeroValue(type);
  if (typeof raw === 'boolean' || typeof raw === 'number') return raw;
  if (Array.isArray(raw)) return raw.map(String);
  if (typeof raw === 'object') return recordOf(Object.entries(raw as Record<string, string>)); // JSON of the table
  if (type === 'traceLocation') return String(raw); // `:0` is how the parser writes that there is none
  const parsed = parseValue(valueKind(type), String(raw), agentPhrases);
  if ('problem' in parsed) throw new TypeError(`option table: default of ${option.key}: ${parsed.problem}`);
  return parsed.value;
}
