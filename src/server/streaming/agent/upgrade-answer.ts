import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer to a request that asked for another protocol. */
export type UpgradeAnswer =
  | {
      readonly kind: 'upgraded';
      readonly head: IncomingMessage;
      readonly socket: Duplex;
      readonly first: Buffer;
    }
  | { readonly kind: 'answered'; readonly answer: IncomingMessage };

/**
 * The answer to a request, without a body, that asks for another protocol. `open` begins it; its signal means nothing any
 * more once the other protocol is spoken.
 */
export function upgradeAnswer(
  open: (signal: AbortSignal) => ClientRequest,
  signal: AbortSignal,
): Promise<UpgradeAnswer> {
  const aborter = new AbortController();
  const abort = (): void => aborter.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  const sent = open(aborter.signal);
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => resolve({ kind: 'answered', answer }));
    sent.on('upgrade', (head, socket, first) => {
      signal.removeEventListener('abort', abort);
      resolve({ kind: 'upgraded', head, socket, first });
    });
    sent.end();
  });
}
