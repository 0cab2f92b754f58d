import type { CheckContext } from '../check-context.ts';
import { type AgentOption, agentOptions, optionName } from '../option-table.ts';
import type { AgentProblem } from '../problem.ts';
import type { AgentValue } from '../values.ts';

/** Values beyond the bounds, or not among the values, that the table has for them. */
export function checkBounds({ values }: CheckContext): AgentProblem[] {
  const byKey = new Map<string, AgentValue>(Object.entries(values));
  return agentOptions.flatMap((option): AgentProblem[] => {
    const value = byKey.get(option.key ?? '');
    if (typeof value === 'number') return isWithin(option, value) ? [] : [outOfBounds(option, value)];
    const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];
    return texts.filter((text) => !isAllowed(option, text)).map((text) => stranger(option, text));
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

function outOfBounds(option: AgentOption, value: number): AgentProblem {
  const names = [optionName(option)];
  if (option.refusal !== undefined)
    return { text: fill(option.refusal, option, value), names, ...advice(option) };
  const rule =
    option.range === undefined
      ? 'must not be a negative number'
      : `must be between ${option.range.join(' and ')}, inclusive`;
  return { text: `invalid configuration: ${option.field} (${optionName(option)}) ${value} ${rule}`, names };
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

function stranger(option: AgentOption, text: string): AgentProblem {
  return {
    text: fill(option.refusal ?? '{flag}: {value}', option, text),
    names: [optionName(option)],
    advice: `one of ${option.allowed?.join(', ')}`,
  };
}

function fill(sentence: string, option: AgentOption, value: string | number): string {
  const words: Readonly<Record<string, string>> = {
    value: String(value),
    nanos: String(Math.round(Number(value) * 1e6)),
    field: option.field ?? '',
    flag: optionName(option),
  };
  return sentence.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
}
