import type { ApiObject, ListMeta } from '../../machinery/meta/index.ts';
import type { Table, TableRow } from '../types/meta-v1.ts';
import { type MetaGroupVersion, partialObjectMetadata } from './partial-metadata.ts';
import type { TablePrinter } from './table-printer.ts';

/** Values of the query parameter `includeObject`. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** What a row shows. */
export interface RowOptions extends MetaGroupVersion {
  readonly printer: TablePrinter;
  readonly includeObject: IncludeObject;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/** What a Table shows. */
export interface TableOptions extends RowOptions {
  /** In any served version. */
  readonly objects: readonly ApiObject[];
  /** Metadata of the list, or of the one object as a list. */
  readonly listMeta: ListMeta;
}

/** The Table of objects, fields in wire order. */
export function toTable(options: TableOptions): Table {
  const { printer, listMeta, metaGroup, version } = options;
  const { compare } = printer;
  const objects = compare === undefined ? options.objects : options.objects.toSorted(compare);
  return {
    kind: 'Table',
    apiVersion: `${metaGroup}/${version}`,
    metadata: listMeta,
    columnDefinitions: [...printer.columns],
    rows: objects.map((object) => tableRow(object, options)),
  };
}

/** The row of an object. What it includes shares its parts with the object. */
export function tableRow(object: ApiObject, options: RowOptions): TableRow {
  const { printer, nowMs } = options;
  return { ...printer.row(object, nowMs), object: includedObject(object, options) };
}

function includedObject(object: ApiObject, options: RowOptions): TableRow['object'] {
  let included: ApiObject | null = object;
  if (options.includeObject === 'None') included = null;
  else if (options.includeObject === 'Metadata') {
    included = partialObjectMetadata(object, options);
  }
  // The type calls it a record or unset; on the wire it is any object, or null when it is not included.
  return included as unknown as TableRow['object'];
}

/** List metadata for the Table of a single object. */
export function singleListMeta({ metadata: { resourceVersion } }: ApiObject): ListMeta {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
