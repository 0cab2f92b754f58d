import { deepEqual } from '../validation/index.ts';

/**
 * The fields that differ, one line each with the new value and one with the old, as the detail of an error about
 * something that may not change. Release 1.20 prints a difference of its own form; only people read it.
 */
export function describeDifference(value: object, old: object): string {
  const lines: string[] = [];
  const after = new Map<string, unknown>(Object.entries(value));
  const before = new Map<string, unknown>(Object.entries(old));
  for (const field of new Set([...after.keys(), ...before.keys()])) {
    if (deepEqual(after.get(field), before.get(field))) continue;
    const [newText, oldText] = [after.get(field), before.get(field)].map((one) =>
      JSON.stringify(one ?? null),
    );
    lines.push(`- ${field}: ${newText}`, `+ ${field}: ${oldText}`);
  }
  return lines.join('\n');
}
