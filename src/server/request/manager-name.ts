import { decodeHeader } from '../../base/index.ts';
import type { Exchange } from './exchange.ts';

/** Longest name of a manager of fields, in bytes. */
export const maxManagerBytes = 128;

/**
 * Who is recorded as the owner of what a request writes: the `fieldManager` that it names, else the user agent up to
 * its first slash, without characters that cannot be printed. Empty when there is neither.
 */
export function managerName(exchange: Exchange, fieldManager: string): string {
  return fieldManager || nameOfAgent(exchange.request.headers['user-agent'] ?? '');
}

let last = { agent: '', name: '' };

/** Most requests of a busy client carry the same user agent. */
function nameOfAgent(agent: string): string {
  if (agent !== last.agent) last = { agent, name: shorten(decodeHeader(agent).split('/', 1)[0] ?? '') };
  return last.name;
}

function shorten(text: string): string {
  let name = '';
  let bytes = 0;
  for (const character of text) {
    if (isUnprintable(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > maxManagerBytes) break;
    name += character;
  }
  return name;
}

/** True for control characters, and for separators other than the space. */
export function isUnprintable(character: string): boolean {
  return character !== ' ' && /[\p{C}\p{Z}]/u.test(character);
}
