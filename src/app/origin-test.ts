import type { OriginTest } from '../server/index.ts';

/**
 * The test that `--cors-allowed-origins` asks for: an origin that any of the patterns finds a match in. Patterns are an
 * operator's and origins a stranger's, so they are matched in linear time (RE2 syntax). Undefined without patterns.
 */
export async function createOriginTest(patterns: readonly string[]): Promise<OriginTest | undefined> {
  if (patterns.length === 0) return undefined;
  const { RE2JS } = await import('re2js');
  const compiled = patterns.map((pattern) => RE2JS.compile(pattern));
  return (origin) => compiled.some((pattern) => pattern.matcher(origin).find());
}
