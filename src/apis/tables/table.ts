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
    included = partialObjectMetadata(withoutVersionAnnotations(object), options);
  }
  // The type calls it a record or unset; on the wire it is any object, or null when it is not included.
  return included as unknown as TableRow['object'];
}

/**
 * Annotations that hold what a version has no field for, by group and kind. A row's metadata is not of a version and shows
 * none.
 */
const versionAnnotations: Readonly<Record<string, RegExp>> = {
  'apps.DaemonSet': /^deprecated\.daemonset\.template\.generation$/,
  'autoscaling.HorizontalPodAutoscaler':
    /^autoscaling\.alpha\.[^/]+\/(?:metrics|current-metrics|conditions|behavior)$/,
};

function withoutVersionAnnotations(object: ApiObject): ApiObject {
  if (object.metadata.annotations === undefined) return object;
  const hidden = versionAnnotations[`${object.apiVersion.split('/')[0]}.${object.kind}`];
  if (hidden === undefined) return object;
  const { annotations, ...metadata } = object.metadata;
  const shown = Object.entries(annotations).filter(([name]) => !hidden.test(name));
  if (shown.length === 0) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(shown) } };
}

/** List metadata for the Table of a single object. */
export function singleListMeta({ metadata: { resourceVersion } }: ApiObject): ListMeta {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
