import { customSchemaCompiler, runsRules } from '../apis/apiextensions/index.ts';
import { createTypeCatalog } from '../apis/catalog.ts';
import { createLossFinder } from '../apis/conversions/index.ts';
import { CustomDirectory, type CustomSources } from '../apis/customs/index.ts';
import { createDefaulter } from '../apis/defaults/index.ts';
import {
  createFieldLabels,
  createFieldLayout,
  createFieldValues,
  type FieldLayout,
  fieldValuesByPrefix,
} from '../apis/fields/index.ts';
import { createResourceTable, type ResourceTable, resolveStorageVersions } from '../apis/resources/index.ts';
import { createTablePrinters } from '../apis/tables/index.ts';
import { effectiveFeatureGates, type ServeConfig, storageRoot } from '../config/serve/index.ts';
import { createApplySchemaCompiler } from '../machinery/apply/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { TypeCatalog } from '../machinery/schema/index.ts';

/** What the API is made of, before any object: types, resources, defaults, columns, fields. */
export interface ApiModel {
  readonly dialect: Dialect;
  /** Where all keys begin; ends with `/`. */
  readonly root: string;
  readonly gates: ReadonlySet<string>;
  /** Types of built-in kinds, and of custom ones while they are served. */
  readonly catalog: TypeCatalog;
  /** The custom kinds that are served now. */
  readonly customs: CustomDirectory;
  readonly table: ResourceTable;
  /** Versions that objects are stored in, by `group/version.Kind` of the usual one, where another was asked for. */
  readonly storageVersions: ReadonlyMap<string, string>;
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
 * @throws RuntimeConfigError when `--runtime-config` makes no sense; StorageVersionsError when `--storage-versions`
 * does not.
 */
export function createApiModel(config: ServeConfig, dialect: Dialect): ApiModel {
  const gates = new Set(
    Object.entries(effectiveFeatureGates(config.featureGates))
      .filter(([, isOn]) => isOn)
      .map(([name]) => name),
  );
  const customs = new CustomDirectory();
  const catalog = createTypeCatalog(dialect, (gvk) => customs.type(gvk));
  const { table, storageVersions } = createTable(config, dialect, gates);
  const readFields = fieldValuesByPrefix(table.resources, createFieldValues(dialect));
  const layout = createFieldLayout(dialect, table.resources);
  const root = storageRoot(config);
  return {
    dialect,
    root,
    gates,
    catalog,
    customs,
    table,
    storageVersions,
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

/** Whether policies are served, which have expressions. */
export const servesPolicies = ({ table, dialect }: Pick<ApiModel, 'table' | 'dialect'>): boolean =>
  table.find(dialect.group('admissionregistration'), 'v1', 'validatingadmissionpolicies') !== undefined;

/** Whether there may be expressions to run. */
export const hasExpressions = (model: Pick<ApiModel, 'table' | 'dialect'>): boolean =>
  servesPolicies(model) || runsRules({ later: model.table.later, dialect: model.dialect });

/** What custom kinds are compiled with. */
export function customSources({ dialect, catalog, table }: ApiModel): CustomSources {
  const name = `${dialect.group('meta')}/v1.ObjectMeta`;
  return {
    dialect,
    compileSchema: customSchemaCompiler(dialect, catalog),
    runsRules: runsRules({ later: table.later, dialect }),
    metadata: catalog.type(name),
    metadataView: createApplySchemaCompiler(catalog).viewOf(name),
  };
}

function createTable(config: ServeConfig, dialect: Dialect, gates: ReadonlySet<string>) {
  // Maps are read in the names of the orch dialect.
  const switches = Object.entries(config.runtimeConfig);
  const runtimeConfig = Object.fromEntries(switches.map(([key, value]) => [dialect.spell(key), value]));
  const options = { dialect, gates, runtimeConfig };
  const usual = createResourceTable(options);
  const storageVersions = resolveStorageVersions({
    table: usual,
    entries: config.storageVersions,
    findLoss: createLossFinder(dialect),
  });
  const table = storageVersions.size === 0 ? usual : createResourceTable({ ...options, storageVersions });
  return { table, storageVersions };
}
