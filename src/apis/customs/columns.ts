import { type RawNumber, rawNumber } from '../../base/index.ts';
import {
  isJsonNumber,
  type JsonNumber,
  showValue,
  toDouble,
  truncate,
} from '../../machinery/go-values/index.ts';
import {
  evaluateTemplate,
  JsonPathError,
  parseTemplate,
  type TemplatePart,
} from '../../machinery/jsonpath/index.ts';
import { TimeError } from '../../machinery/values/index.ts';
import { ageSince, type TablePrinter } from '../tables/index.ts';
import type { CustomResourceColumnDefinition } from '../types/apiextensions-v1beta1.ts';
import type { TableColumnDefinition } from '../types/meta-v1.ts';

type Cell = string | number | RawNumber | boolean | null;

const nameColumn: TableColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among those of its kind in its namespace.',
  priority: 0,
};
/** What definitions without columns of their own show beside the name. */
const ageColumn: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  JSONPath: '.metadata.creationTimestamp',
};

/** The printer of a version's columns. Cells whose path leads nowhere are empty. Source: apiextensions, `tableconvertor`. */
export function createColumnPrinter(columns: readonly CustomResourceColumnDefinition[]): TablePrinter {
  const wanted = columns.length === 0 ? [ageColumn] : columns;
  const paths = wanted.map(({ JSONPath }) => parsePath(JSONPath));
  const broken = paths.indexOf(undefined);
  // The first path that cannot be read ends the table.
  const shown = broken === -1 ? wanted : wanted.slice(0, broken);
  const readers = shown.map(({ type }, at) => ({ type, nodes: paths[at] }));
  return {
    columns: [nameColumn, ...shown.map(headerOf)],
    row: (object, nowMs) => ({
      cells: [
        object.metadata.name ?? '',
        ...readers.map(({ nodes, type }) => cellOf(valueAt(nodes, object), type, nowMs)),
      ],
    }),
  };
}

function headerOf(column: CustomResourceColumnDefinition): TableColumnDefinition {
  const { name, type, format = '', priority = 0, JSONPath } = column;
  const description =
    column.description || `Custom resource definition column (in JSONPath format): ${JSONPath}`;
  return { name, type, format, description, priority };
}

/** Undefined for a path that cannot be read, as older servers may have stored one. */
function parsePath(path: string): readonly TemplatePart[] | undefined {
  try {
    return parseTemplate(`{${path}}`);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** What a path may go through for one cell. */
const maxValues = 100_000;

/** The first value that a path finds; undefined when there is none. */
function valueAt(nodes: readonly TemplatePart[] | undefined, object: object): unknown {
  if (nodes === undefined) return undefined;
  try {
    const [first] = evaluateTemplate(nodes, object, { allowsMissing: true, maxValues });
    return first?.kind === 'values' ? first.values[0] : undefined;
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellOf(value: unknown, type: string, nowMs: number): Cell {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return isJsonNumber(value) ? wholeOf(value) : null;
    case 'number':
      return isJsonNumber(value) ? toDouble(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, nowMs) : null;
    default:
      return null;
  }
}

function wholeOf(value: JsonNumber): Cell {
  const whole = truncate(value);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : rawNumber(String(whole));
}

function ageOf(time: string, nowMs: number): string {
  try {
    return ageSince(time === '' || time === 'null' ? null : time, nowMs);
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}

/** Any value as Go prints it: structures as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<no value>';
  if (typeof value !== 'object' || isJsonNumber(value)) return showValue(value);
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapeUnit);
}

/** As Go escapes what browsers could take for something else. */
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
