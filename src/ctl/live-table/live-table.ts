/**
 * Tables that change in place on a terminal: rows and events become a state, the state a frame of lines, and two frames the
 * bytes that turn one into the other. All of that is pure; `LiveScreen` draws. It knows nothing of objects and servers.
 */

import { ageOrigin, ageWidth, isAgeHeading } from './age.ts';
import { tame, textWidth } from './text-width.ts';

/** A row as it comes from the server. */
export interface RowInput {
  /** Tells rows apart, and orders them where nothing else does. */
  readonly key: string;
  /** One text per heading, free of control characters. */
  readonly cells: readonly string[];
  readonly creationTime: unknown;
  /** For `sort` only. */
  readonly object: unknown;
}

/** A cell and its past. */
export interface LiveCell {
  readonly text: string;
  /** When it last became another; -Infinity for what it was at first. */
  readonly changedAtMs: number;
  /** Only of ages: what they are counted from. */
  readonly originMs: number | undefined;
}

/** A row and its past. */
export interface LiveRow {
  readonly key: string;
  readonly cells: readonly LiveCell[];
  readonly object: unknown;
  /** When anything last happened to it; -Infinity for what was there at first. */
  readonly touchedAtMs: number;
  readonly goneAtMs: number | undefined;
}

/** Puts rows in order. */
export type SortRows = (rows: readonly LiveRow[]) => readonly LiveRow[];

const minWidth = 6;
const gap = 3;

/** The rows of one type, and what lately happened to them. It knows no clock: times are told. */
export class LiveTable {
  readonly #sort: SortRows;
  readonly #rows = new Map<string, LiveRow>();
  readonly #widths: number[] = [];
  #headings: readonly string[] = [];
  #ordered: readonly LiveRow[] | undefined;

  constructor(sort: SortRows = sortByKey) {
    this.#sort = sort;
  }

  get headings(): readonly string[] {
    return this.#headings;
  }

  /** Width of each column with the gap behind it; they only grow, so that nothing jumps. */
  get widths(): readonly number[] {
    return this.#widths;
  }

  setHeadings(headings: readonly string[]): void {
    this.#headings = headings.map(tame);
    for (const [column, heading] of this.#headings.entries()) {
      this.#widen(column, textWidth(heading));
      if (isAgeHeading(heading)) this.#widen(column, ageWidth);
    }
  }

  /** Rows in order, those that went a moment ago among them. */
  rows(): readonly LiveRow[] {
    this.#ordered ??= this.#sort([...this.#rows.values()]);
    return this.#ordered;
  }

  /** What there was at first: nothing of it is a change. */
  load(inputs: readonly RowInput[], nowMs: number): void {
    for (const input of inputs) this.#set(input, nowMs, { isChange: false });
  }

  /** A row that came or changed. */
  upsert(input: RowInput, nowMs: number): void {
    this.#set(input, nowMs, { isChange: true });
  }

  /** A row that went; it stays until `sweep` takes it. */
  remove(key: string, nowMs: number): void {
    const row = this.#rows.get(key);
    if (row === undefined || row.goneAtMs !== undefined) return;
    this.#put({ ...row, goneAtMs: nowMs, touchedAtMs: nowMs });
  }

  /** A new list, after changes that nobody saw: of the rows that are its own, those that it lacks went. */
  relist(inputs: readonly RowInput[], isOwn: (key: string) => boolean, nowMs: number): void {
    for (const input of inputs) this.upsert(input, nowMs);
    const listed = new Set(inputs.map(({ key }) => key));
    for (const key of this.#rows.keys()) if (isOwn(key) && !listed.has(key)) this.remove(key, nowMs);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  /** Takes out what went before a moment. */
  sweep(beforeMs: number): void {
    for (const { key, goneAtMs } of this.#rows.values()) {
      if (goneAtMs === undefined || goneAtMs > beforeMs) continue;
      this.#rows.delete(key);
      this.#ordered = undefined;
    }
  }

  #set(input: RowInput, nowMs: number, { isChange }: { readonly isChange: boolean }): void {
    const known = this.#rows.get(input.key);
    const past = known?.goneAtMs === undefined ? known : undefined;
    const cells = input.cells.map((text, column): LiveCell => {
      const cell = this.#toCell(tame(text), column, input.creationTime, nowMs);
      const before = past?.cells[column];
      const isSame = before !== undefined && (cell.originMs !== undefined || before.text === cell.text);
      return { ...cell, changedAtMs: isSame ? before.changedAtMs : isChange ? nowMs : -Infinity };
    });
    const { key, object } = input;
    // A list repeats what is known; that moves no row to the front.
    const isSame =
      past !== undefined && cells.every((cell, at) => cell.changedAtMs === past.cells[at]?.changedAtMs);
    const touchedAtMs = isSame ? past.touchedAtMs : isChange ? nowMs : -Infinity;
    this.#put({ key, cells, object, touchedAtMs, goneAtMs: undefined });
  }

  #toCell(text: string, column: number, creationTime: unknown, nowMs: number): Omit<LiveCell, 'changedAtMs'> {
    if (!isAgeHeading(this.#headings[column] ?? '')) {
      this.#widen(column, textWidth(text));
      return { text, originMs: undefined };
    }
    return { text, originMs: ageOrigin(text, creationTime, nowMs) };
  }

  #put(row: LiveRow): void {
    this.#rows.set(row.key, row);
    this.#ordered = undefined;
  }

  #widen(column: number, width: number): void {
    this.#widths[column] = Math.max(this.#widths[column] ?? minWidth, width + gap);
  }
}

function sortByKey(rows: readonly LiveRow[]): readonly LiveRow[] {
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
}
