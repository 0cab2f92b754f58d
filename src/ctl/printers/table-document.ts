import { asJsonObject, asList, asText } from '../../base/index.ts';

/** Column of a table that a server made. Priority 0 is always shown, others with `-o wide`. */
export interface TableColumn {
  readonly name: string;
  readonly priority: number;
}

/** Row of a table. `object` is the whole object or its metadata, as the request asked. */
export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object: Readonly<Record<string, unknown>> | undefined;
}

/** A list or an object as a server lays it out for people. */
export interface TableDocument {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly resourceVersion: string;
  readonly continueToken: string;
}

/**
 * Reads a Table; any other object becomes rows of name and age (`formatAge` gives the latter), which is what is left
 * when a server cannot make tables.
 */
export function readTable(document: unknown, formatAge: (time: unknown) => string): TableDocument {
  const root = asJsonObject(document);
  const metadata = asJsonObject(root.metadata);
  const versions = {
    resourceVersion: asText(metadata.resourceVersion),
    continueToken: asText(metadata.continue),
  };
  if (root.kind === 'Table') {
    return {
      ...versions,
      columns: asList(root.columnDefinitions).map(readColumn),
      rows: asList(root.rows).map(readRow),
    };
  }
  const objects = Array.isArray(root.items) ? root.items : [document];
  return {
    ...versions,
    columns: [
      { name: 'Name', priority: 0 },
      { name: 'Age', priority: 0 },
    ],
    rows: objects.map((object) => {
      const { name, creationTimestamp } = asJsonObject(asJsonObject(object).metadata);
      return { cells: [name, formatAge(creationTimestamp)], object: asJsonObject(object) };
    }),
  };
}

function readColumn(value: unknown): TableColumn {
  const row = asJsonObject(value);
  return { name: asText(row.name), priority: typeof row.priority === 'number' ? row.priority : 0 };
}

function readRow(value: unknown): TableRow {
  const row = asJsonObject(value);
  const { object } = row;
  return {
    cells: asList(row.cells),
    object: object === undefined || object === null ? undefined : asJsonObject(object),
  };
}
