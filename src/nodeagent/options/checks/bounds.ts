import type { AnyOptionValue } from '../../../config/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import { formatDurationMs } from '../../../machinery/go-values/index.ts';
import type { CheckContext } from '../check-context.ts';
import { type AgentOption, agentOptions, optionName } from '../option-table.ts';
import type { AgentProblem } from '../problem.ts';

/** Values beyond the bounds, or not among the values, that the table has for them. */
export function checkBounds({ values, dialect }: CheckContext): AgentProblem[] {
  const byKey = new Map<string, AnyOptionValue>(Object.entries(values));
  return agentOptions.flatMap((option): AgentProblem[] => {
    const value = byKey.get(option.key ?? '');
    if (typeof value === 'number')
      return isWithin(option, value) ? [] : [outOfBounds(option, value, dialect)];
    const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];
    return texts
      .filter((text) => !isAllowed(option, text))
      .map((text) => unsupportedValue(option, text, dialect));
  });
}

function isWithin({ range, orZero, notNegative, min, max, above }: AgentOption, value: number): boolean {
  const [first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY] = range ?? [];
  if (orZero && value === 0) return true;
  return (
    value >= first &&
    value <= last &&
    !(notNegative && value < 0) &&
    value >= (min ?? value) &&
    value <= (max ?? value) &&
    (above === undefined || value > above)
  );
}

function outOfBounds(option: AgentOption, value: number, dialect: Dialect): AgentProblem {
  const names = [dialect.spell(optionName(option))];
  if (option.refusal !== undefined)
    return {
      text: fill(dialect.spell(option.refusal), { option, value, dialect }),
      names,
      ...advice(option),
    };
  const rule =
    option.range === undefined
      ? 'must not be a negative number'
      : `must be between ${option.range.join(' and ')}, inclusive`;
  const text = `invalid configuration: ${option.field} (${optionName(option)}) ${value} ${rule}`;
  return { text: dialect.spell(text), names };
}

function advice({ min, above, type }: AgentOption): { readonly advice?: string } {
  const unit = type === 'duration' ? 's' : '';
  if (above !== undefined) return { advice: `give more than ${above}${unit}` };
  return min === undefined ? {} : { advice: `give at least ${min}${unit}` };
}

/** No value at all is a choice only where it is the default. */
function isAllowed({ allowed, lenient, default: usual }: AgentOption, text: string): boolean {
  return (
    allowed === undefined ||
    lenient === true ||
    allowed.includes(text) ||
    (text === '' && usual === undefined)
  );
}

function unsupportedValue(option: AgentOption, value: string, dialect: Dialect): AgentProblem {
  const { refusal = '{flag}: {value}', allowed = [] } = option;
  return {
    text: fill(dialect.spell(refusal), { option, value, dialect }),
    names: [dialect.spell(optionName(option))],
    advice: `one of ${allowed.map((word) => dialect.spell(word)).join(', ')}`,
  };
}

interface Refused {
  readonly option: AgentOption;
  readonly value: string | number;
  readonly dialect: Dialect;
}

function fill(sentence: string, { option, value, dialect }: Refused): string {
  const words: Readonly<Record<string, string>> = {
    value: String(value),
    quoted: quoteGo(String(value)),
    duration: typeof value === 'number' && option.type === 'duration' ? formatDurationMs(value) : '',
    nanos: String(Math.round(Number(value) * 1e6)),
    field: dialect.spell(option.field ?? ''),
    flag: dialect.spell(optionName(option)),
  };
  return sentence.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
}
