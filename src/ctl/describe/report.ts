import { asJsonObject, asList, isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { alignTabs } from '../printers/elastic-tabs.ts';
import { showControl } from '../printers/text-table.ts';

/** Longer lines of annotations and attributes are cut, as release 1.20's client does. */
export const maxLineLength = 140;

const controls = /(?!\n)\p{Cc}/gu;

/**
 * A value as it is shown: lines stay lines, other control characters are made visible, so that no object can drive the
 * terminal or shift columns.
 */
export function shownText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(controls, showControl);
}

/** Lines of a description, with tabs between names and values; indented two blanks per level. */
export class Report {
  readonly #lines: string[] = [];
  /** Whether it must read as that of release 1.20, oddities and all, for whoever compares texts. */
  readonly isRelease: boolean;

  constructor(dialect: Dialect) {
    this.isRelease = dialect.name === 'kubernetes';
  }

  /** Adds a line. What comes from an object must have gone through `shownText`. */
  line(level: number, text: string): void {
    this.#lines.push('  '.repeat(level) + text);
  }

  /** Adds `Name:<tab>value`; control characters of the value are made visible. */
  field(level: number, name: string, value: unknown): void {
    this.line(level, `${name}:\t${shownText(value)}`);
  }

  /** Adds a line of cells, all of them values. */
  row(level: number, cells: readonly unknown[]): void {
    this.line(level, cells.map(shownText).join('\t'));
  }

  /** Adds values below one another, or `<none>`. */
  list(level: number, name: string, values: readonly unknown[], restLevel = 0): void {
    const [first = '<none>', ...rest] = values.map(shownText);
    this.line(level, `${name}:\t${first}`);
    for (const text of rest) this.line(restLevel, `\t${text}`);
  }

  /** Adds one `key=value` per line below one another, or `<none>`. */
  map(name: string, map: unknown, { level = 0, restLevel = 0 } = {}): void {
    const pairs = sortedEntries(map).map(([key, value]) => `${key}=${value}`);
    this.list(level, name, pairs, restLevel);
  }

  /**
   * Adds annotations; those of several lines, or too long for one, below their names. What was applied last is never
   * shown: it repeats the object, and of a secret its values.
   */
  annotations(map: unknown, { level = 0 } = {}): void {
    const shown = sortedEntries(withoutApplied(map));
    if (shown.length === 0) this.line(level, 'Annotations:\t<none>');
    for (const [index, [key, value]] of shown.entries()) {
      const start = index === 0 ? `${'  '.repeat(level)}Annotations:\t` : '\t';
      const text = shownText(value).replace(/\n$/, '');
      if (text.includes('\n') || text.length + key.length + 2 > maxLineLength) {
        this.line(0, `${start}${shownText(key)}:`);
        for (const line of text.split('\n')) this.line(0, `\t  ${shorten(line, maxLineLength - 2)}`);
      } else this.line(0, `${start}${shownText(key)}: ${text}`);
    }
  }

  /**
   * Adds annotations on one line. What was applied last may hold secrets, as above; release 1.20 shows it here.
   */
  annotationLine(map: unknown): void {
    this.field(0, 'Annotations', formatMap(this.isRelease ? map : withoutApplied(map)));
  }

  /** The lines with their tabs, for where columns are not aligned. */
  toTabbedText(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  toString(): string {
    return `${alignTabs(this.#lines.join('\n'))}\n`;
  }
}

/** Annotations without what was applied last. */
function withoutApplied(annotations: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(asJsonObject(annotations));
  return Object.fromEntries(entries.filter(([key]) => !key.endsWith('/last-applied-configuration')));
}

/** The text, or its beginning and `...`. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

/** Members in the order of their keys. */
export function sortedEntries(map: unknown): readonly (readonly [key: string, value: unknown])[] {
  return Object.entries(asJsonObject(map)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A list of maps; anything else is empty. */
export function asRecords(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(asJsonObject) : [];
}

/** A part of an object, whatever its members. */
export type Fields = Readonly<Record<string, unknown>>;

/** `a=1,b=2` in the order of the keys, or `<none>`. */
export function formatMap(map: unknown): string {
  const pairs = sortedEntries(map).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** A truth that may not be set. */
export function formatTruth(value: unknown): string {
  if (value === undefined) return '<unset>';
  return value === true ? 'True' : 'False';
}

/** Text, or what stands for its absence. */
export function textOr(value: unknown, absent: string): string {
  return value === undefined || value === null || value === '' ? absent : String(value);
}

/** A list as Go prints it: `[a b]`. */
export function goList(value: unknown): string {
  return `[${asList(value).map(goText).join(' ')}]`;
}

/** Any value as Go prints it: `[1 [2 3]]`, `map[a:1]`, `<nil>`. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return goList(value);
  if (!isJsonObject(value)) return value === null ? '<nil>' : String(value);
  const pairs = sortedEntries(value).map(([key, item]) => `${key}:${goText(item)}`);
  return `map[${pairs.join(' ')}]`;
}
