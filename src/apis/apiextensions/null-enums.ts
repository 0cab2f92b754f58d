import { isJsonObject } from '../../base/index.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../types/apiextensions-v1beta1.ts';
import schemaFields from './schema-fields.json' with { type: 'json' };
import { hasSchemaWith, schemasOf } from './schema-walk.ts';

/** Fields of a schema in the order in which release 1.20 converts them, up to the last that may hold schemas. */
const fieldsInOrder = [...schemaFields.plain, ...schemaFields.ofSchemas];
const mapsOfSchemas: ReadonlySet<string> = new Set(schemaFields.mapsOfSchemas);
/** Fields that hold any values, none of them schemas. */
const plainFields: ReadonlySet<string> = new Set(schemaFields.plain);

type Json = Readonly<Record<string, unknown>>;

/** What was read of a value, and whether that is all of it. */
interface Reading {
  readonly value: unknown;
  readonly isWhole: boolean;
}

/**
 * Release 1.20 cannot read null among the values of an enum. It refuses such a definition of `v1beta1`, and of one of `v1` it
 * takes what stands before the null, without a word.
 *
 * @throws StatusError 400 for a definition of `v1beta1`.
 */
export function stopAtNullEnums(definition: CustomResourceDefinition, context: RuleContext): void {
  const { spec } = definition;
  if (!schemasOf(spec).some((schema) => hasSchemaWith(schema, hasNullEnum))) return;
  if (context.requestApiVersion !== 'apiextensions.orch.io/v1') {
    const kind = 'CustomResourceDefinition';
    throw badRequest(`${kind} in version "v1beta1" cannot be handled as a ${kind}: EOF`);
  }
  const { validation, subresources, additionalPrinterColumns, versions, ...others } = spec;
  const common = {
    ...(subresources === undefined ? {} : { subresources }),
    ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
    ...(validation === undefined ? {} : { schema: validation }),
  };
  definition.spec = {
    ...others,
    versions: readVersions((versions ?? []).map((each) => ({ ...common, ...each }))),
  };
  delete definition.spec.version;
  delete definition.spec.conversion;
  delete definition.spec.preserveUnknownFields;
}

const hasNullEnum = ({ enum: values }: Json): boolean => Array.isArray(values) && values.includes(null);

function readVersions(
  versions: readonly CustomResourceDefinitionVersion[],
): CustomResourceDefinitionVersion[] {
  let isWhole = true;
  return versions.map((version) => {
    if (!isWhole) return { name: '', served: false, storage: false };
    const { schema, subresources: _subresources, additionalPrinterColumns: _columns, ...start } = version;
    const read = readSchema(schema?.openAPIV3Schema ?? {});
    isWhole = read.isWhole;
    // What was read of a schema is one.
    return isWhole ? version : { ...start, schema: { openAPIV3Schema: read.value as Json } };
  });
}

function readSchema(schema: unknown): Reading {
  if (!isJsonObject(schema)) return { value: schema, isWhole: true };
  const value: Record<string, unknown> = {};
  for (const field of fieldsInOrder) {
    if (schema[field] === undefined) continue;
    const read = readField(field, schema[field]);
    value[field] = read.value;
    if (!read.isWhole) return { value, isWhole: false };
  }
  return { value: schema, isWhole: true };
}

function readField(field: string, value: unknown): Reading {
  if (field === 'enum' && Array.isArray(value) && value.includes(null)) {
    const end = value.indexOf(null);
    return { value: value.map((each, at) => (at < end ? each : null)), isWhole: false };
  }
  if (plainFields.has(field)) return { value, isWhole: true };
  if (Array.isArray(value)) return readList(value);
  return mapsOfSchemas.has(field) && isJsonObject(value) ? readMap(value) : readSchema(value);
}

function readList(schemas: readonly unknown[]): Reading {
  let isWhole = true;
  const value = schemas.map((schema) => {
    if (!isWhole) return {};
    const read = readSchema(schema);
    isWhole = read.isWhole;
    return read.value;
  });
  return { value, isWhole };
}

/** Members come in any order; those that cannot be read are taken to be the last. */
function readMap(schemas: Json): Reading {
  const read = Object.entries(schemas).map(([name, schema]) => ({ name, ...readSchema(schema) }));
  const whole = read.filter(({ isWhole }) => isWhole);
  return {
    value: Object.fromEntries(whole.map(({ name, value }) => [name, value])),
    isWhole: whole.length === read.length,
  };
}
