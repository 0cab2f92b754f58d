/** Why Go's `strconv.ParseUint` does not read a text as a port, in its words; undefined when it does. */
export function goPortProblem(text: string): string | undefined {
  const reason = !/^\d+$/.test(text)
    ? 'invalid syntax'
    : Number(text) > 65_535
      ? 'value out of range'
      : undefined;
  return reason === undefined ? undefined : `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${reason}`;
}
