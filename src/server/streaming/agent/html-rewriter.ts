import { Transform, type TransformCallback } from 'node:stream';
import linkAttributes from './html-links.json' with { type: 'json' };

/** Longest tag, comment opening or end of an element's text that is buffered; what is longer is passed on unread. */
const maxTokenLength = 16 * 1024;
/** Elements whose text is no markup. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/** Attributes that are links, by element. Source: release 1.20. */
const links: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(linkAttributes));

const commentEnd = /--!?>/g;
const tagName = /[a-z][a-z\d:-]*/iy;
const attribute = /(\s)([^\s"'<>/=]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;

/**
 * Passes an HTML page on, with the links of its elements as `rewrite` makes them; everything else stays byte for byte as
 * it is. Pages are read in encodings that have ASCII in them. Keeps at most one tag. By hand, since a library for this
 * (parse5-html-rewriting-stream) takes over three times the processor time, waits for the end of a tag however long it is,
 * and leaves out one without an end.
 */
export class HtmlRewriter extends Transform {
  readonly #rewrite: (link: string) => string;
  /** Input that is incomplete so far; each character is one byte. */
  #rest = '';
  /** The element in whose text the reader is, or `!--` in a comment. */
  #inside = '';
  #isBeyond = false;

  constructor(rewrite: (link: string) => string) {
    super();
    this.#rewrite = rewrite;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    done(null, this.#isBeyond ? chunk : Buffer.from(this.#read(chunk.toString('latin1')), 'latin1'));
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(this.#rest, 'latin1'));
  }

  /**
   * Returns what can be sent after more input. A token that is too long ends the reading: the rest is passed on as it
   * is.
   */
  #read(text: string): string {
    this.#rest += text;
    const ready = this.#take();
    if (this.#rest.length <= maxTokenLength) return ready;
    const rest = this.#rest;
    this.#rest = '';
    this.#isBeyond = true;
    return ready + rest;
  }

  /** Everything up to the first token that is incomplete. */
  #take(): string {
    const text = this.#rest;
    const parts: string[] = [];
    let at = 0;
    for (;;) {
      const next = this.#inside === '' ? this.#markup(text, at, parts) : this.#opaque(text, at, parts);
      if (next === undefined) break;
      at = next;
    }
    // Plain text before the undecided part has no reason to wait.
    const open = this.#inside === '' ? text.indexOf('<', at) : this.#openEnd(text, at);
    const end = open < 0 ? text.length : open;
    parts.push(text.slice(at, end));
    this.#rest = text.slice(end);
    return parts.join('');
  }

  /** Advances past the next tag; undefined when it is incomplete. */
  #markup(text: string, from: number, parts: string[]): number | undefined {
    const start = text.indexOf('<', from);
    if (start < 0 || start + 4 > text.length) return undefined;
    if (text.startsWith('<!--', start)) {
      this.#inside = '!--';
      // Its dashes may be those of its end as well: `<!-->` is a comment.
      parts.push(text.slice(from, start + 2));
      return start + 2;
    }
    if (!/[a-z]/i.test(text.charAt(start + 1))) {
      parts.push(text.slice(from, start + 1));
      return start + 1;
    }
    const end = tagEnd(text, start);
    if (end < 0) return undefined;
    tagName.lastIndex = start + 1;
    const element = tagName.exec(text)?.[0].toLowerCase() ?? '';
    parts.push(text.slice(from, start), this.#rewriteTag(text.slice(start, end), element));
    if (rawText.has(element)) this.#inside = element;
    return end;
  }

  /** Advances past the end of an element's text or a comment; undefined when that has not come. */
  #opaque(text: string, from: number, parts: string[]): number | undefined {
    const end = endOf(text, this.#inside, from);
    if (end < 0) return undefined;
    parts.push(text.slice(from, end));
    this.#inside = '';
    return end;
  }

  /** Where the end of what is no markup may have begun. */
  #openEnd(text: string, from: number): number {
    const length = this.#inside === '!--' ? 3 : this.#inside.length + 2;
    return Math.max(from, text.length - length);
  }

  #rewriteTag(text: string, element: string): string {
    const names = links.get(element);
    if (names === undefined) return text;
    return text.replace(attribute, (whole, space, name, equals, double, single, bare) => {
      const link: string = double ?? single ?? bare;
      const rewritten = names.includes(String(name).toLowerCase()) ? this.#rewrite(link) : link;
      if (rewritten === link) return whole;
      const quote = single === undefined ? '"' : "'";
      return `${space}${name}${equals}${quote}${rewritten}${quote}`;
    });
  }
}

/** Behind the `>` of a tag, -1 when it has not come. A quote opens a value only where a value begins. */
function tagEnd(text: string, start: number): number {
  let quote = '';
  let last = '';
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && last === '=') quote = character;
    if (character > ' ') last = character;
  }
  return -1;
}

/** Where an element's text or a comment ends: behind `-->` or `--!>`, before `</name`. */
function endOf(text: string, inside: string, from: number): number {
  if (inside === '!--') {
    commentEnd.lastIndex = from;
    return commentEnd.test(text) ? commentEnd.lastIndex : -1;
  }
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    if (text.slice(at + 2, at + 2 + inside.length).toLowerCase() === inside) return at;
  }
  return -1;
}
