import type { Schema } from '../../apis/openapi/index.ts';
import { asJsonObject, type JsonObject } from '../../base/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';

/** A kind that documents may have. */
export interface DocumentKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Name of its definition. */
  readonly definition: string;
}

/** Keywords that mean the same in both languages. */
const sameKeywords = [
  'description',
  'default',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  // Rules of custom resources; they refer to nothing.
  'anyOf',
  'oneOf',
  'not',
];
/** What JSON may have as a number, too. */
const looseText = /(?:^|\.)(?:Quantity|IntOrString)$/;

/**
 * A JSON Schema (draft 7, which editors know) of documents of one kind, or of documents of several, by their `apiVersion` and
 * `kind`; other documents fit, too. Fields that a kind does not have do not fit, unless it keeps unknown ones.
 */
export function toJsonSchema(schemas: OpenApiSchemas, kinds: readonly DocumentKind[]): JsonObject {
  const writer = new SchemaWriter(schemas);
  const [only, ...others] = kinds;
  const root =
    only !== undefined && others.length === 0
      ? writer.document(only)
      : { type: 'object', allOf: kinds.map((kind) => writer.choice(kind)) };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...root,
    definitions: writer.definitions(),
  };
}

/** Writes schemas, and remembers which definitions they refer to. */
class SchemaWriter {
  readonly #schemas: OpenApiSchemas;
  readonly #written = new Map<string, JsonObject>();

  constructor(schemas: OpenApiSchemas) {
    this.#schemas = schemas;
  }

  /** A document that must be of a kind. */
  document({ apiVersion, kind, definition }: DocumentKind): JsonObject {
    const schema = this.#schemas.definition(definition) ?? {};
    const written = this.#write(schema);
    const properties = {
      ...asJsonObject(written.properties),
      apiVersion: { const: apiVersion },
      kind: { const: kind },
    };
    return { title: kind, ...written, properties, required: requiredWith(written.required) };
  }

  /** What a document that says it is of a kind must fit. */
  choice(kind: DocumentKind): JsonObject {
    const identity = { apiVersion: { const: kind.apiVersion }, kind: { const: kind.kind } };
    return {
      if: { properties: identity, required: ['apiVersion', 'kind'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a word of the language
      then: this.#reference(kind.definition),
    };
  }

  /** Those that were referred to. */
  definitions(): JsonObject {
    return Object.fromEntries(this.#written);
  }

  #reference(name: string): JsonObject {
    if (!this.#written.has(name)) {
      // Definitions may refer to themselves.
      this.#written.set(name, {});
      this.#written.set(name, this.#write(this.#schemas.definition(name) ?? {}, looseText.test(name)));
    }
    return { $ref: `#/definitions/${name}` };
  }

  #write(schema: Schema, isLoose = false): JsonObject {
    const written = this.#writeShape(schema, isLoose);
    return Object.entries(schema).some(([name, value]) => name === 'nullable' && value === true)
      ? orNull(written)
      : written;
  }

  /** An optional field: servers take null for one that is not there, and programs write times that are not set so. */
  #writeOptional(schema: Schema): JsonObject {
    const shape = shapeOf(schema);
    const isObject = (one: Schema): boolean => shapeOf(one).kind === 'object';
    if (shape.kind === 'reference' && isObject(this.#schemas.definition(shape.name) ?? {}))
      return this.#write(schema);
    return orNull(this.#write(schema));
  }

  #writeShape(schema: Schema, isLoose: boolean): JsonObject {
    const shape = shapeOf(schema);
    const fields = new Map<string, unknown>(Object.entries(schema));
    const same = Object.fromEntries([
      ...sameKeywords.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : [])),
      ...exclusiveBounds(fields),
    ]);
    switch (shape.kind) {
      case 'reference': {
        const reference = this.#reference(shape.name);
        // What stands beside a reference does not count in this draft.
        return schema.description === undefined ? reference : { ...same, allOf: [reference] };
      }
      case 'object': {
        const required = new Set(shape.required);
        const written = Object.entries(shape.fields).map(([name, field]) => [
          name,
          required.has(name) ? this.#write(field) : this.#writeOptional(field),
        ]);
        return {
          ...same,
          type: 'object',
          properties: Object.fromEntries(written),
          ...(shape.required.length > 0 ? { required: [...shape.required] } : {}),
          ...(isMarked(fields, '-preserve-unknown-fields') ? {} : { additionalProperties: false }),
        };
      }
      case 'map':
        return { ...same, type: 'object', additionalProperties: this.#write(shape.values) };
      case 'array':
        return { ...same, type: 'array', items: this.#write(shape.items) };
      case 'primitive': {
        const isMixed = isLoose || schema.format === 'int-or-string' || isMarked(fields, '-int-or-string');
        const format = schema.format === 'date-time' ? { format: 'date-time' } : {};
        const type = isMixed ? ['string', 'number'] : shape.type;
        return { ...same, type, ...format };
      }
      case 'any':
        return isMarked(fields, '-int-or-string') ? { ...same, type: ['string', 'number'] } : same;
    }
  }
}

const isMarked = (fields: ReadonlyMap<string, unknown>, mark: string): boolean =>
  [...fields].some(([name, value]) => name.startsWith('x-') && name.endsWith(mark) && value === true);

const requiredWith = (required: unknown): readonly unknown[] => [
  ...new Set(['apiVersion', 'kind', ...(Array.isArray(required) ? required : [])]),
];

/** The same, or null. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (type === undefined) {
    const isReference = '$ref' in schema || 'allOf' in schema;
    return isReference ? { anyOf: [schema, { type: 'null' }] } : schema;
  }
  const types = Array.isArray(type) ? type : [type];
  return {
    ...schema,
    type: [...new Set([...types, 'null'])],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

/** A bound that is not reached is a number in this language, and a mark beside the bound in that of definitions. */
function exclusiveBounds(fields: ReadonlyMap<string, unknown>): (readonly [string, unknown])[] {
  return (
    [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const
  ).flatMap(([name, bound]) => (fields.get(name) === true ? [[name, fields.get(bound)] as const] : []));
}
