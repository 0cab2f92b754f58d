import { badRequest } from '../machinery/errors/index.ts';

/** Where a paged list goes on: the snapshot's revision and the first key of the rest, relative to the list's prefix. */
export interface ContinuePosition {
  readonly revision: number;
  readonly startKey: string;
}

/** Version of the token's format; the reference's, so that the texts of bad tokens agree too. */
const tokenVersion = (metaGroup: string): string => `${metaGroup}/v1`;

/** Opaque text for `metadata.continue`. */
export function encodeContinue(position: ContinuePosition, metaGroup: string): string {
  const token = { v: tokenVersion(metaGroup), rv: position.revision, start: position.startKey };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/**
 * Reads a client's token.
 *
 * @throws StatusError 400 when it is not one of ours.
 */
export function decodeContinue(text: string, metaGroup: string): ContinuePosition {
  const json = Buffer.from(text, 'base64url').toString('latin1');
  const fail = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let token: unknown;
  try {
    token = JSON.parse(Buffer.from(json, 'latin1').toString());
  } catch {
    throw fail(jsonComplaint(json));
  }
  const { v, rv, start } = (token ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== tokenVersion(metaGroup)) {
    throw fail(`server does not recognize this encoded version ${JSON.stringify(String(v ?? ''))}`);
  }
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv <= 0 || typeof start !== 'string') {
    throw fail('incorrect encoded start resourceVersion');
  }
  if (start === '' || start.split('/').includes('..'))
    throw fail(`invalid start key ${JSON.stringify(start)}`);
  return { revision: rv, startKey: start };
}

/** What the reference's parser says of text that does not even begin as JSON. */
function jsonComplaint(text: string): string {
  const trimmed = text.trimStart();
  const first = trimmed[0];
  if (first === undefined) return 'unexpected end of JSON input';
  const literal = ['null', 'true', 'false'].find((word) => word[0] === first);
  if (literal !== undefined) {
    const at = [...literal].findIndex((letter, position) => trimmed[position] !== letter);
    if (at > 0 && trimmed[at] !== undefined) {
      return `invalid character '${printable(trimmed[at])}' in literal ${literal} (expecting '${literal[at]}')`;
    }
    return 'unexpected end of JSON input';
  }
  return `invalid character '${printable(first)}' looking for beginning of value`;
}

function printable(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x20 && code < 0x7f) return character === "'" ? "\\'" : character;
  return code < 0x80
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
