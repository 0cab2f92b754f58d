import { blockBytes, decodeHeader, entryTypes, type TarHeader } from './header.ts';

/** Who is told what an archive holds. */
export interface TarEntries {
  /** An entry begins. */
  onEntry(header: TarHeader): void;
  /** A part of the content of the entry that began last. */
  onContent(bytes: Buffer): void;
  /** The content of that entry is complete. */
  onEntryEnd(): void;
}

/** Names and attributes that do not fit into a header are small; an archive that says otherwise is refused. */
const maxAttributeBytes = 1024 * 1024;

/** Reads an archive while it arrives: ustar, with the long names of GNU and of pax. */
export class TarReader {
  readonly #entries: TarEntries;
  #pending = Buffer.alloc(0);
  /** Bytes of content and filling that are still to come. */
  #contentBytes = 0;
  #fillBytes = 0;
  #header: TarHeader | undefined;
  #attribute: Buffer[] | undefined;
  #overrides: Partial<Pick<TarHeader, 'name' | 'linkName' | 'sizeBytes'>> = {};
  #hasEnded = false;

  constructor(entries: TarEntries) {
    this.#entries = entries;
  }

  /** @throws Error for what is no archive, and what the entries throw */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#hasEnded) {
      if (this.#contentBytes > 0) rest = this.#takeContent(rest);
      else if (this.#fillBytes > 0) {
        const skipped = Math.min(this.#fillBytes, rest.length);
        this.#fillBytes -= skipped;
        rest = rest.subarray(skipped);
      } else rest = this.#takeHeader(rest);
    }
  }

  /** To be called when nothing more comes. @throws Error when the archive is not complete */
  end(): void {
    if (this.#contentBytes > 0 || this.#pending.length > 0 || this.#header !== undefined) {
      throw new Error('unexpected EOF');
    }
  }

  #takeHeader(chunk: Buffer): Buffer {
    const missing = blockBytes - this.#pending.length;
    this.#pending = Buffer.concat([this.#pending, chunk.subarray(0, missing)]);
    if (this.#pending.length === blockBytes) {
      const header = decodeHeader(this.#pending);
      this.#pending = Buffer.alloc(0);
      if (header === undefined) this.#hasEnded = true;
      else this.#begin(header);
    }
    return chunk.subarray(missing);
  }

  #begin(header: TarHeader): void {
    const isAttribute = attributeTypes.has(header.type);
    const full = isAttribute ? header : { ...header, ...this.#overrides };
    if (!isAttribute) this.#overrides = {};
    if (!Number.isSafeInteger(full.sizeBytes) || full.sizeBytes < 0) {
      throw new Error('archive/tar: invalid tar header');
    }
    if (isAttribute && full.sizeBytes > maxAttributeBytes) throw new Error('archive/tar: a name is too long');
    this.#header = full;
    this.#contentBytes = full.sizeBytes;
    this.#fillBytes = (blockBytes - (full.sizeBytes % blockBytes)) % blockBytes;
    if (isAttribute) this.#attribute = [];
    else this.#entries.onEntry(full);
    if (this.#contentBytes === 0) this.#finish();
  }

  #takeContent(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#contentBytes);
    this.#contentBytes -= part.length;
    if (this.#attribute === undefined) this.#entries.onContent(part);
    else this.#attribute.push(part);
    if (this.#contentBytes === 0) this.#finish();
    return chunk.subarray(part.length);
  }

  #finish(): void {
    const attribute = this.#attribute;
    const type = this.#header?.type;
    this.#header = undefined;
    this.#attribute = undefined;
    if (attribute === undefined) {
      this.#entries.onEntryEnd();
      return;
    }
    const content = Buffer.concat(attribute);
    const text = content.toString('utf8').replace(/\0+$/, '');
    if (type === entryTypes.longName) this.#overrides = { ...this.#overrides, name: text };
    else if (type === entryTypes.longLink) this.#overrides = { ...this.#overrides, linkName: text };
    else if (type === entryTypes.extended) this.#overrides = { ...this.#overrides, ...readRecords(content) };
  }
}

const attributeTypes: ReadonlySet<string> = new Set([
  entryTypes.longName,
  entryTypes.longLink,
  entryTypes.extended,
  entryTypes.globalExtended,
]);

/** Records of pax: `LENGTH KEY=VALUE` and a line feed each, the length in bytes and of all of it. */
function readRecords(content: Buffer): Partial<Pick<TarHeader, 'name' | 'linkName' | 'sizeBytes'>> {
  const found: { name?: string; linkName?: string; sizeBytes?: number } = {};
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at);
    const sizeBytes = Number(content.toString('latin1', at, blank));
    if (blank < 0 || !Number.isInteger(sizeBytes) || sizeBytes <= blank - at) {
      throw new Error('archive/tar: invalid tar header');
    }
    const record = content.toString('utf8', blank + 1, at + sizeBytes - 1);
    const equals = record.indexOf('=');
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    if (key === 'path') found.name = value;
    if (key === 'linkpath') found.linkName = value;
    if (key === 'size') found.sizeBytes = Number(value);
    at += sizeBytes;
  }
  return found;
}
