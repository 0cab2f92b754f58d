import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { versionConversions } from '../../../../src/apis/conversions/index.ts';
import { createDialect, type Dialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { TypeCatalog } from '../../../../src/machinery/schema/index.ts';

type Fields = Record<string, unknown>;

const models = new Map<
  Dialect['name'],
  { catalog: TypeCatalog; table: ReturnType<typeof versionConversions> }
>();

function modelOf(dialect: Dialect) {
  let model = models.get(dialect.name);
  if (model === undefined) {
    const catalog = createTypeCatalog(dialect);
    model = { catalog, table: versionConversions(dialect, catalog) };
    models.set(dialect.name, model);
  }
  return model;
}

/** How a test converts objects between `stored` and another version, both named by type in the orch dialect. */
export interface Conversion {
  /** A served object, decoded, as it is stored. */
  toStored(fields: Fields): Fields;
  /** A stored object, decoded, as it is served. */
  toServed(fields: Fields): Fields;
  /** A served object in canonical form. */
  decode(fields: Fields): Fields;
}

/** The conversion of a served type to and from the stored type, from canonical form to canonical form. */
export function conversionOf(
  served: string,
  stored: string,
  dialectName: Dialect['name'] = 'orch',
): Conversion {
  const dialect = dialectName === 'orch' ? orchDialect : createDialect(dialectName);
  const { catalog, table } = modelOf(dialect);
  const conversion = table.get(served);
  if (conversion === undefined) throw new RangeError(`no conversion for ${served}`);
  const types = { served: catalog.type(dialect.spell(served)), stored: catalog.type(dialect.spell(stored)) };
  const run = (way: 'toStorage' | 'fromStorage', from: Fields) =>
    conversion[way](structuredClone(from) as unknown as ApiObject); // fields of an object of the kind
  return {
    toStored: (fields) => types.stored.canonicalize(run('toStorage', types.served.decode(fields))),
    toServed: (fields) => types.served.canonicalize(run('fromStorage', types.stored.decode(fields))),
    decode: (fields) => types.served.decode(fields),
  };
}
