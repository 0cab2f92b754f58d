import type { KindFamilies, KindFamily } from '../apis/conversions/index.ts';
import { type CompiledType, parseGroupVersion, type TypeCatalog } from '../machinery/schema/index.ts';

/** Kind and version of a stored value, and what follows from them. */
export interface StoredHead {
  readonly family: KindFamily;
  readonly version: string;
  readonly type: CompiledType;
  /** Version that is written. */
  readonly written: string;
  /** Values begin with kind and version, in this order. */
  readonly isCanonical: boolean;
}

/** What heads are made from. */
export interface StoredHeadsOptions {
  readonly families: Pick<KindFamilies, 'find'>;
  readonly catalog: TypeCatalog;
  /** As `StoredFormsOptions` has them. */
  readonly writtenVersions: ReadonlyMap<string, string>;
}

/** A head, and what canonical values of it begin with. */
interface KnownHead {
  readonly head: StoredHead;
  readonly start: Buffer;
}

/** A head is two short strings; longer ones are of no kind that is known. */
const maxHeadBytes = 512;
const [comma, openBrace] = [0x2c, 0x7b];
const headPattern = /^\{"kind":"([^"\\]+)","apiVersion":"([^"\\]+)",$/;

/** Tells the kind and version of stored values, by their first bytes where those are as servers write them. */
export class StoredHeads {
  readonly #options: StoredHeadsOptions;
  /** By the texts that values of known kinds begin with: there are not many. */
  readonly #known = new Map<string, KnownHead>();
  /** Values of one kind often follow one another. */
  #last: KnownHead | undefined;

  constructor(options: StoredHeadsOptions) {
    this.#options = options;
  }

  /** Nothing for a value of no kind that is known. */
  of(bytes: Buffer): StoredHead | undefined {
    if (this.#last !== undefined && startsWith(bytes, this.#last.start)) return this.#last.head;
    const text = headText(bytes);
    const known = this.#known.get(text);
    if (known !== undefined) {
      this.#last = known;
      return known.head;
    }
    const parts = headPattern.exec(text);
    const [, kind, apiVersion] = parts ?? identify(bytes);
    const head = kind && apiVersion ? this.#describe(apiVersion, kind, parts !== null) : undefined;
    if (head !== undefined && parts !== null) {
      this.#last = { head, start: Buffer.from(text, 'latin1') };
      this.#known.set(text, this.#last);
    }
    return head;
  }

  #describe(apiVersion: string, kind: string, isCanonical: boolean): StoredHead | undefined {
    const { families, catalog, writtenVersions } = this.#options;
    const parsed = parseGroupVersion(apiVersion);
    const family = parsed && families.find({ ...parsed, kind });
    const type = parsed && catalog.kind({ ...parsed, kind });
    if (family === undefined || type === undefined) return undefined;
    const written = writtenVersions.get(`${family.hub}.${kind}`) ?? family.hub;
    return { family, version: apiVersion, type, written, isCanonical };
  }
}

const startsWith = (bytes: Buffer, start: Buffer): boolean =>
  bytes.length > start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0;

/** The beginning of a value up to the second comma, which canonical values have behind their version. */
function headText(bytes: Buffer): string {
  const first = bytes.indexOf(comma);
  const end = first < 0 ? -1 : bytes.indexOf(comma, first + 1);
  return end < 0 || end > maxHeadBytes ? '' : bytes.toString('latin1', 0, end + 1);
}

/** Kind and version of a value that does not begin with them; nothing when it is no object that has both. */
function identify(bytes: Buffer): readonly [string, string, string] | readonly [] {
  if (bytes[0] !== openBrace) return [];
  try {
    // Only these two fields are read; other JSON values have no such fields.
    const { kind, apiVersion } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    return typeof kind === 'string' && typeof apiVersion === 'string' ? ['', kind, apiVersion] : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A value that is not JSON has no kind; its reader reports it.
    return [];
  }
}
