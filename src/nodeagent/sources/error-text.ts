/** What a log says of something thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
