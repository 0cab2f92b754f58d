/**
 * Tables: columns and cells of every built-in kind, and the forms of an object that clients ask for with `as=`
 * (Table, PartialObjectMetadata). It neither reads requests nor converts versions. Custom resources with columns of
 * their own get a `TablePrinter` elsewhere. Source: printing rules of release 1.20.
 */
export { ageSince, formatAge } from './age.ts';
export { hidesAnnotations, type MetaGroupVersion, partialObjectMetadata } from './partial-metadata.ts';
export {
  type IncludeObject,
  type RowOptions,
  singleListMeta,
  type TableOptions,
  tableRow,
  toTable,
} from './table.ts';
export { createTablePrinters, type TablePrinter, type TablePrinterOptions } from './table-printer.ts';
