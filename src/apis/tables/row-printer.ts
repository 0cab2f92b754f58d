import type { Dialect } from '../../machinery/dialect.ts';
import type { TableRowCondition } from '../types/meta-v1.ts';

/** What cells may depend on beside the object. */
export interface RowContext {
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly dialect: Dialect;
}

/** A value of a table cell. */
export type Cell = string | number | boolean | null;

/** How the objects of one resource become rows. Objects are canonical, in any served version. */
export interface RowPrinter<T> {
  /** One cell per column of `columns.json`, those of disabled gates included. */
  cells(object: T, context: RowContext): Cell[];
  /** Conditions of the row, for clients that hide finished objects. */
  conditions?(object: T): TableRowCondition[];
  /** Order of rows where it is not the list's. */
  compare?(a: T, b: T): number;
}
