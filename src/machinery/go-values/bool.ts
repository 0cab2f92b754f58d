const texts: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

/** A truth as Go's `strconv.ParseBool` reads it; undefined when the text is none. */
export function parseBool(text: string): boolean | undefined {
  return texts.get(text);
}
