import { type Parsed, refuse } from '../../config/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';

/** Processors above this number do not exist; a range may not go on for ever. */
const maxCpu = 65_535;

/** The processors of `0,3-5`, sorted, each once. */
export function parseCpuSet(text: string): Parsed<readonly number[]> {
  const cpus = new Set<number>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [firstText = '', lastText = firstText, ...rest] = part.split('-');
    const bad = [firstText, lastText].find((bound) => !/^\d+$/.test(bound));
    if (rest.length > 0) return refuse(`range ${quoteGo(part)} must have one dash`);
    if (bad !== undefined) return refuse(`strconv.Atoi: parsing ${quoteGo(bad)}: invalid syntax`);
    const [first, last] = [Number(firstText), Number(lastText)];
    if (first > last) return refuse(`range ${quoteGo(part)} must not end before it starts`);
    if (last > maxCpu) return refuse(`${last} is above the largest processor, ${maxCpu}`);
    for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  }
  return { value: [...cpus].sort((a, b) => a - b) };
}
