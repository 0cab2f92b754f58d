import { type Cursor, endsWord, isBlank, isBreak, isNameLetter } from './cursor.ts';

const behindName = new Set(['?', ':', ',', ']', '}', '%', '@', '`']);

/** The name behind `&` or `*`. @throws BodySyntaxError */
export function scanName(cursor: Cursor): string {
  cursor.skip();
  const name = cursor.takeWhile(isNameLetter);
  const next = cursor.peek();
  if (name === '' || !(endsWord(next) || behindName.has(next)))
    cursor.fail('did not find expected alphabetic or numeric character');
  return name;
}

/** A tag as it is written. */
export interface WrittenTag {
  /** What a directive may say more of; empty for a whole tag. */
  readonly handle: string;
  readonly suffix: string;
}

/** What stands from `!` on. @throws BodySyntaxError */
export function scanTag(cursor: Cursor): WrittenTag {
  const tag = cursor.peek(1) === '<' ? scanVerbatimTag(cursor) : scanShortTag(cursor);
  if (!endsWord(cursor.peek())) cursor.fail('did not find expected whitespace or line break');
  return tag;
}

function scanVerbatimTag(cursor: Cursor): WrittenTag {
  cursor.skip(2);
  const suffix = scanUri(cursor, '');
  if (cursor.peek() !== '>') cursor.fail("did not find the expected '>'");
  cursor.skip();
  return { handle: '', suffix };
}

function scanShortTag(cursor: Cursor): WrittenTag {
  const handle = scanHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(cursor, '') };
  const suffix = scanUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function scanHandle(cursor: Cursor, isDirective: boolean): string {
  if (cursor.peek() !== '!') cursor.fail("did not find expected '!'");
  cursor.skip();
  const name = cursor.takeWhile(isNameLetter);
  if (cursor.peek() === '!') {
    cursor.skip();
    return `!${name}!`;
  }
  if (isDirective && name !== '') cursor.fail("did not find expected '!'");
  return `!${name}`;
}

const uriSigns = new Set(";/?:@&=+$,.!~*'()[]");

/** The rest of a tag whose begin, from its `!` on, has been read. */
function scanUri(cursor: Cursor, head: string): string {
  let uri = head.slice(1);
  let isThere = head !== '';
  for (;;) {
    const plain = cursor.takeWhile((letter) => isNameLetter(letter) || uriSigns.has(letter));
    uri += plain;
    if (plain !== '') isThere = true;
    if (cursor.peek() !== '%') break;
    uri += scanUriEscape(cursor);
    isThere = true;
  }
  if (!isThere) cursor.fail('did not find expected tag URI');
  return uri;
}

function scanUriEscape(cursor: Cursor): string {
  const octets: number[] = [];
  let width = 1;
  while (octets.length < width) {
    const octetText = cursor.peek() + cursor.peek(1) + cursor.peek(2);
    if (!/^%[\da-fA-F]{2}$/.test(octetText)) cursor.fail('did not find URI escaped octet');
    const octet = Number.parseInt(octetText.slice(1), 16);
    if (octets.length > 0 && octet >> 6 !== 0b10) cursor.fail('found an incorrect trailing UTF-8 octet');
    if (octets.length === 0) width = widthOf(octet);
    if (width === 0) cursor.fail('found an incorrect leading UTF-8 octet');
    octets.push(octet);
    cursor.skip(3);
  }
  return Buffer.from(octets).toString('utf8');
}

function widthOf(octet: number): number {
  if (octet < 0x80) return 1;
  if (octet >> 5 === 0b110) return 2;
  if (octet >> 4 === 0b1110) return 3;
  return octet >> 3 === 0b11110 ? 4 : 0;
}

/** What a line behind `%` says. */
export type Directive =
  | { readonly type: 'version'; readonly text: string }
  | { readonly type: 'tag-directive'; readonly handle: string; readonly prefix: string };

/** A line from `%` on. @throws BodySyntaxError */
export function scanDirective(cursor: Cursor): Directive {
  cursor.skip();
  const name = cursor.takeWhile(isNameLetter);
  if (name === '') cursor.fail('could not find expected directive name');
  if (!endsWord(cursor.peek())) cursor.fail('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') cursor.fail('found unknown directive name');
  cursor.takeWhile(isBlank);
  const directive = name === 'YAML' ? scanVersion(cursor) : scanTagDirective(cursor);
  cursor.takeWhile(isBlank);
  cursor.skipComment();
  const next = cursor.peek();
  if (next !== '' && !isBreak(next)) cursor.fail('did not find expected comment or line break');
  cursor.takeBreak();
  return directive;
}

function scanVersion(cursor: Cursor): Directive {
  const major = scanNumber(cursor);
  if (cursor.peek() !== '.') cursor.fail("did not find expected digit or '.' character");
  cursor.skip();
  return { type: 'version', text: `${major}.${scanNumber(cursor)}` };
}

function scanNumber(cursor: Cursor): number {
  let digits = '';
  for (; /^\d$/.test(cursor.peek()); cursor.skip()) {
    digits += cursor.peek();
    if (digits.length > 2) cursor.fail('found extremely long version number');
  }
  if (digits === '') cursor.fail('did not find expected version number');
  return Number(digits);
}

function scanTagDirective(cursor: Cursor): Directive {
  const handle = scanHandle(cursor, true);
  if (!isBlank(cursor.peek())) cursor.fail('did not find expected whitespace');
  cursor.takeWhile(isBlank);
  const prefix = scanUri(cursor, '');
  if (!endsWord(cursor.peek())) cursor.fail('did not find expected whitespace or line break');
  return { type: 'tag-directive', handle, prefix };
}
