/** Structures as dotted paths; maps and lists whole. */
function flatten(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const isStructure = /^(?:authentication|authorization|logging)(?:\.|$)/.test(prefix + key);
    return isStructure && typeof part === 'object' && part !== null
      ? flatten(part, `${prefix}${key}.`)
      : [[prefix + key, part]];
  });
}

/** What the later configuration has otherwise, by dotted path; null where it has nothing. */
export function configzDifference(before: object, after: object): Record<string, unknown> {
  const [old, current] = [new Map(flatten(before)), new Map(flatten(after))];
  const keys = [...new Set([...old.keys(), ...current.keys()])];
  const changed = keys.filter((key) => JSON.stringify(old.get(key)) !== JSON.stringify(current.get(key)));
  return Object.fromEntries(changed.map((key) => [key, current.get(key) ?? null]));
}
