/** The key of an extra value from the name of its header, escaped as in URLs; one that is not stays as it is. */
export function decodeExtraKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
