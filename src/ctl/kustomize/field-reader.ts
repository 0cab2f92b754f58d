import { isJsonObject, isStrings, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';

/**
 * Reads the fields of a map that a person wrote; what is not asked for is refused at the end. Names may be written in any
 * case, as kustomize 2.0 reads them, but none twice.
 */
export class FieldReader {
  /** File and path of the map. */
  readonly where: string;
  readonly #object: JsonObject;
  readonly #known = new Set<string>();

  constructor(object: JsonObject, where: string) {
    this.#object = object;
    this.where = where;
  }

  /** Empty when it is missing. @throws CtlError for anything but text */
  text(field: string): string {
    const value = this.#take(field) ?? '';
    return typeof value === 'string' ? value : this.#fail(field, 'text');
  }

  /** @throws CtlError for anything but a whole number that is not negative */
  integer(field: string): number {
    const value = this.#take(field) ?? 0;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    return this.#fail(field, 'a whole number');
  }

  /** @throws CtlError for anything but true and false */
  bool(field: string): boolean {
    const value = this.#take(field) ?? false;
    return typeof value === 'boolean' ? value : this.#fail(field, 'true or false');
  }

  /** @throws CtlError for anything but a list of text */
  texts(field: string): readonly string[] {
    const value = this.#take(field) ?? [];
    return isStrings(value) ? value : this.#fail(field, 'a list of text');
  }

  /** @throws CtlError for anything but a map of text */
  textMap(field: string): Readonly<Record<string, string>> {
    const value = this.#take(field) ?? {};
    if (!isJsonObject(value)) return this.#fail(field, 'a map of text');
    const texts: Record<string, string> = {};
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string') return this.#fail(`${field}.${key}`, 'text; quote it');
      texts[key] = text;
    }
    return texts;
  }

  /** @throws CtlError for anything but a map with the fields that `read` takes */
  object<T>(field: string, read: (fields: FieldReader) => T): T {
    return this.#readMap(field, this.#take(field) ?? {}, read);
  }

  /** @throws CtlError for anything but a list of such maps */
  list<T>(field: string, read: (fields: FieldReader) => T): readonly T[] {
    const value = this.#take(field) ?? [];
    if (!Array.isArray(value)) return this.#fail(field, 'a list of maps');
    return value.map((item, index) => this.#readMap(`${field}[${index}]`, item, read));
  }

  /** @throws CtlError for a field that nobody asked for */
  refuseOthers(): void {
    const other = Object.keys(this.#object).find((field) => !this.#known.has(field));
    if (other !== undefined) throw new CtlError(`${this.where}: unknown field ${JSON.stringify(other)}`);
  }

  #readMap<T>(field: string, value: unknown, read: (fields: FieldReader) => T): T {
    if (!isJsonObject(value)) return this.#fail(field, 'a map');
    const fields = new FieldReader(value, `${this.where}: ${field}`);
    const result = read(fields);
    fields.refuseOthers();
    return result;
  }

  #take(field: string): unknown {
    const written = findField(this.#object, field);
    if (written === undefined) return undefined;
    this.#known.add(written);
    return this.#object[written];
  }

  #fail(field: string, wanted: string): never {
    throw new CtlError(`${this.where}: ${field}: must be ${wanted}`);
  }
}

/** The name under which a map has a field: as it is, else in another case. */
export function findField(object: JsonObject, field: string): string | undefined {
  if (Object.hasOwn(object, field)) return field;
  return Object.keys(object).find((key) => isSameField(key, field));
}

/** Whether two names of fields differ in nothing but case. */
export const isSameField = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
