import { TransportError } from '../client/rest/index.ts';
import { StatusError } from '../machinery/errors/index.ts';

/** Whether it may go well the next time: a connection, a server that is busy or restarts, a version that is forgotten. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) return error.code !== 'tls';
  return error instanceof StatusError && (error.code === 410 || error.code === 429 || error.code >= 500);
}
