/**
 * Whether a controller runs under a `--controllers` list: `-name` turns it off, `name` on, `*` stands for those that are
 * on by default, `none` for nothing. The name itself wins over `*`, wherever it stands.
 */
export function isControllerEnabled(
  list: readonly string[],
  name: string,
  { onByDefault }: { onByDefault: boolean },
): boolean {
  if (list.includes(name)) return true;
  if (list.includes(`-${name}`)) return false;
  return list.includes('*') && onByDefault;
}

/** Names in the list that no controller has. */
export function unknownControllers(list: readonly string[], known: readonly string[]): string[] {
  return list
    .map((entry) => entry.replace(/^-/, ''))
    .filter((entry) => entry !== '*' && entry !== 'none' && !known.includes(entry));
}
