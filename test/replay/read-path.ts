/** A value below another one; `[x]` picks an element of a list by its name, type or index. Undefined: there is none. */
export function readPath(value: unknown, path: string): unknown {
  let current = value;
  for (const part of path.split(/\.(?![^[]*\])/)) {
    const [, key = part, picks = ''] = /^([^[]*)((?:\[[^\]]*\])*)$/.exec(part) ?? [];
    current = field(current, key);
    for (const [, pick = ''] of picks.matchAll(/\[([^\]]*)\]/g)) current = element(current, pick);
  }
  return current;
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(key);
}

function element(value: unknown, pick: string): unknown {
  if (!Array.isArray(value)) return undefined;
  const named = value.find((each: unknown) => [field(each, 'name'), field(each, 'type')].includes(pick));
  return named ?? value[Number(pick)];
}
