import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { AgentExchange } from '../http/exchange.ts';

/**
 * User of a client certificate: the common name, its groups the organizations. `refused` for one that no authority of
 * ours has signed; undefined when there is none.
 */
export function userOfCertificate({ request }: AgentExchange): UserInfo | 'refused' | undefined {
  const socket = request.socket as TLSSocket; // only the secure server asks
  const { subject } = socket.getPeerCertificate?.() ?? {};
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'refused';
  // Names that occur more than once come as a list.
  const { CN, O } = subject as { readonly CN?: Values; readonly O?: Values };
  const [name = ''] = listOf(CN);
  return name === '' ? 'refused' : { name, uid: '', groups: listOf(O), extra: {} };
}

type Values = string | readonly string[];

function listOf(values: Values | undefined): readonly string[] {
  if (values === undefined) return [];
  return typeof values === 'string' ? [values] : values;
}
