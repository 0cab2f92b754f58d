import { createTypeCatalog } from '../apis/catalog.ts';
import { createDefaulter } from '../apis/defaults/index.ts';
import {
  createFieldLabels,
  createFieldLayout,
  createFieldValues,
  type FieldLayout,
  fieldValuesByPrefix,
} from '../apis/fields/index.ts';
import { createResourceTable, type ResourceTable } from '../apis/resources/index.ts';
import { createTablePrinters } from '../apis/tables/index.ts';
import { effectiveFeatureGates, type ServeConfig, storageRoot } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { TypeCatalog } from '../machinery/schema/index.ts';

/** What the API is made of, before any object: types, resources, defaults, columns, fields. */
export interface ApiModel {
  readonly dialect: Dialect;
  /** Where all keys begin; ends with `/`. */
  readonly root: string;
  readonly gates: ReadonlySet<string>;
  readonly catalog: TypeCatalog;
  readonly table: ResourceTable;
  readonly applyDefaults: ReturnType<typeof createDefaulter>;
  readonly printerOf: ReturnType<typeof createTablePrinters>;
  readonly fieldsOf: ReturnType<typeof createFieldLabels>;
  /** Selectable fields of a stored object, by the key prefix of its resource. */
  selectableFields(resourcePrefix: string, object: unknown): Readonly<Record<string, string>>;
  /** What is known of selectable fields, by the key prefix of their resource. */
  readonly fieldLayout: FieldLayout;
}

/**
 * Builds the model that a configuration asks for.
 *
 * @throws RuntimeConfigError when `--runtime-config` makes no sense.
 */
export function createApiModel(config: ServeConfig, dialect: Dialect): ApiModel {
  const gates = new Set(
    Object.entries(effectiveFeatureGates(config['feature-gates']))
      .filter(([, isOn]) => isOn)
      .map(([name]) => name),
  );
  const catalog = createTypeCatalog(dialect);
  const table = createResourceTable({ dialect, gates, runtimeConfig: config['runtime-config'] });
  const readFields = fieldValuesByPrefix(table.resources, createFieldValues(dialect));
  const layout = createFieldLayout(dialect, table.resources);
  const root = storageRoot(config);
  return {
    dialect,
    root,
    gates,
    catalog,
    table,
    applyDefaults: createDefaulter({ dialect, catalog, gates }),
    printerOf: createTablePrinters({ dialect, gates }),
    fieldsOf: createFieldLabels(dialect),
    selectableFields: (prefix, object) => readFields(prefix.slice(root.length, -1), object),
    fieldLayout: {
      locate: (prefix, field) => layout.locate(prefix.slice(root.length, -1), field),
      indexedFields: (prefix) => layout.indexedFields(prefix.slice(root.length, -1)),
    },
  };
}
