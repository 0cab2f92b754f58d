import {
  type Answer,
  authHeaders,
  type Connection,
  createSwitchableTransport,
  type SwitchableTransport,
  type Transport,
} from '../rest/index.ts';
import type { CredentialSource, Credentials } from './credential-source.ts';
import { withCredentials } from './open-credentials.ts';

/**
 * A transport whose requests carry what `source` says then. An answer of 401 is passed on, and the source told of it, so
 * that the next request carries something else. Requests with a header of their own for that keep it.
 */
export function createCredentialTransport(
  connection: Connection,
  source: CredentialSource,
  options: { readonly maxConnections?: number | undefined } = {},
): SwitchableTransport {
  const line = createSwitchableTransport(connection, options);
  let base = connection;
  let presented: Credentials = {};
  const present = (credentials: Credentials): void => {
    const isSameKey = credentials.certificatePem === presented.certificatePem;
    presented = credentials;
    if (!isSameKey) line.switchTo(withCredentials(base, credentials));
  };
  const transport: Transport = async (request) => {
    const credentials = await source.current();
    present(credentials);
    const headers = { ...authHeaders({ token: credentials.token }), ...request.headers };
    const answer = await line.transport({ ...request, headers });
    if (answer.status === 401) source.refuse(credentials, refusalOf(answer));
    return answer;
  };
  transport.close = () => line.transport.close?.();
  return {
    transport,
    switchTo(next) {
      base = next;
      line.switchTo(withCredentials(base, presented));
    },
  };
}

function refusalOf({ status, headers }: Answer) {
  const lists = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat()] as const],
  );
  return { code: status, headers: Object.fromEntries(lists) };
}
