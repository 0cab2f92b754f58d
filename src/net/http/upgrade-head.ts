import type { IncomingMessage } from 'node:http';
import type { ConnectionUpgrade } from './request.ts';

/**
 * Passes the head of a backend's answer on to a client that asked for another protocol; from here on the connection is
 * theirs. `rawHeaders` are names and values in turn, the answer's own when left out.
 */
export function writeUpgradeHead(
  { socket }: ConnectionUpgrade,
  { statusCode, statusMessage, rawHeaders: own }: IncomingMessage,
  rawHeaders: readonly string[] = own,
): void {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
