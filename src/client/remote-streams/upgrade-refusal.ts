import type { IncomingMessage } from 'node:http';
import { chunksOf } from '../../base/index.ts';
import { parseStatus, StatusError } from '../../machinery/errors/index.ts';
import { UpgradeError } from './errors.ts';

/** Refusals are short; what goes beyond is not read. */
const maxRefusalBytes = 1024 * 1024;

/** What an answer says that should have changed the protocol: the server's own Status, else its text. */
export async function readRefusal(answer: IncomingMessage): Promise<StatusError | UpgradeError> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const bytes of chunksOf(answer)) {
      parts.push(bytes);
      sizeBytes += bytes.length;
      if (sizeBytes > maxRefusalBytes) break;
    }
  } catch {
    return new UpgradeError('unable to read error from server response');
  }
  const body = Buffer.concat(parts);
  const status = parseStatus(body, undefined);
  return status === undefined
    ? new UpgradeError(body.toString('utf8').trim(), answer.statusCode)
    : new StatusError(status);
}
