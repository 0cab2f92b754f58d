import { createDialect, type Dialect } from '../../machinery/dialect.ts';
import type { RestClient } from './client.ts';

/**
 * The dialect that a server speaks, by its version: ours names orch, the other one's is a plain release. Undefined when it
 * does not say. Servers tell their version to everybody.
 *
 * @throws StatusError, TransportError
 */
export async function readServerDialect(
  client: RestClient,
  signal?: AbortSignal,
): Promise<Dialect | undefined> {
  const { gitVersion } = await client.json<Readonly<Record<string, unknown>>>({
    method: 'GET',
    path: '/version',
    ...(signal !== undefined && { signal }),
  });
  if (typeof gitVersion !== 'string' || gitVersion === '') return undefined;
  return createDialect(gitVersion.includes('+orch') ? 'orch' : 'kubernetes');
}
