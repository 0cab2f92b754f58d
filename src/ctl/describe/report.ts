import { asJsonObject } from '../../base/index.ts';
import { alignTabs } from '../printers/elastic-tabs.ts';
import { toCellText } from '../printers/text-table.ts';

/** Lines of a description, with tabs between names and values; indented two blanks per level. */
export class Report {
  readonly #lines: string[] = [];

  /** Adds a line. */
  line(level: number, text: string): void {
    this.#lines.push('  '.repeat(level) + text);
  }

  /** Adds `Name:<tab>value`; control characters of the value are made visible. */
  field(level: number, name: string, value: unknown): void {
    this.line(level, `${name}:\t${toCellText(value)}`);
  }

  /** Adds one `key=value` per line below one another, or `<none>`. */
  map(name: string, map: unknown, { separator = '=', level = 0 } = {}): void {
    const pairs = Object.entries(asJsonObject(map)).sort(([a], [b]) => (a < b ? -1 : 1));
    const [first, ...rest] = pairs.map(
      ([key, value]) => `${toCellText(key)}${separator}${toCellText(value)}`,
    );
    this.line(level, `${name}:\t${first ?? '<none>'}`);
    for (const text of rest) this.line(0, `\t${text}`);
  }

  /** Adds annotations. What was applied last is never shown: it repeats the object, and of a secret its values. */
  annotations(map: unknown, { level = 0 } = {}): void {
    const shown = Object.entries(asJsonObject(map)).filter(
      ([key]) => !key.endsWith('/last-applied-configuration'),
    );
    this.map('Annotations', Object.fromEntries(shown), { separator: ': ', level });
  }

  /** The lines with their tabs, for where columns are not aligned. */
  toTabbedText(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  toString(): string {
    return `${alignTabs(this.#lines.join('\n'))}\n`;
  }
}

/** A list of maps; anything else is empty. */
export function asRecords(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(asJsonObject) : [];
}

/** Text, or what stands for its absence. */
export function textOr(value: unknown, absent: string): string {
  return value === undefined || value === null || value === '' ? absent : String(value);
}
