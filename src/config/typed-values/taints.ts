import { isLabelValue, isQualifiedName } from '../../machinery/formats/index.ts';
import { type NodeTaint, type Parsed, refuse } from '../values/index.ts';

const effects = [
  'NoSchedule',
  'PreferNoSchedule',
  'NoExecute',
] as const satisfies readonly NodeTaint['effect'][];

/** Taints between commas, each written `key=value:effect` or `key:effect`; `key` alone has no effect yet. */
export function parseTaints(text: string): Parsed<readonly NodeTaint[]> {
  const taints: NodeTaint[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const parsed = parseTaint(part);
    if ('problem' in parsed) return parsed;
    taints.push(parsed.value);
  }
  return { value: taints };
}

function parseTaint(text: string): Parsed<NodeTaint> {
  const [pair = '', effectText, ...rest] = text.split(':');
  const [key = '', value = '', ...more] = effectText === undefined ? [pair] : pair.split('=');
  if (rest.length > 0 || more.length > 0) return refuse(`invalid taint spec: ${text}`);
  const effect = effectText === undefined ? '' : effects.find((name) => name === effectText);
  if (effect === undefined) return refuse(`invalid taint effect: ${effectText}, unsupported taint effect`);
  const wrong = [...isQualifiedName(key), ...(value === '' ? [] : isLabelValue(value))];
  if (wrong.length > 0) return refuse(`invalid taint spec: ${text}, ${wrong.join('; ')}`);
  return { value: { key, value, effect } };
}
