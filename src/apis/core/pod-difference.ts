import type { PodSpec } from '../types/core-v1.ts';
import { deepEqual } from '../validation/index.ts';

const maxShownCharacters = 1_000;

/**
 * A short account of what differs between two specs: per field the refused value, then the present one. The
 * reference prints a comparison of its internal structures here, whose form it does not promise.
 */
export function describeSpecDifference(spec: PodSpec, old: PodSpec): string {
  const lines = ['  core.PodSpec{'];
  let identical = 0;
  const present = new Map<string, unknown>(Object.entries(old));
  const refused = new Map<string, unknown>(Object.entries(spec));
  for (const name of new Set([...present.keys(), ...refused.keys()])) {
    if (deepEqual(refused.get(name), present.get(name))) identical += 1;
    else lines.push(showSide('-', name, refused.get(name)), showSide('+', name, present.get(name)));
  }
  if (identical > 0) lines.push(`  \t... // ${identical} identical fields`);
  lines.push('  }', '');
  return lines.join('\n');
}

function showSide(sign: string, name: string, value: unknown): string {
  const text = value === undefined ? 'nil' : JSON.stringify(value);
  const shown = text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}...` : text;
  return `${sign} \t${name.charAt(0).toUpperCase()}${name.slice(1)}: ${shown},`;
}
