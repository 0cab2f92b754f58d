import type { Schema } from '../../apis/openapi/index.ts';
import { isJsonObject, ownValue } from '../../base/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';

/** What a value and its schema are called in messages. */
interface Place {
  /** `Pod.spec.containers[0]` */
  readonly item: string;
  /** `io.orch.api.core.v1.Container.image`: a definition and the field in it. */
  readonly schema: string;
}

/** Nesting beyond this depth is left to the server. */
const maxDepth = 256;
/** Errors beyond this number are not looked for. */
const maxErrors = 1000;

/**
 * What a definition finds wrong with an object: unknown fields, wrong types, missing fields, in the order and words of the
 * reference client. Where a text is wanted, numbers and booleans pass too, as do fractions for integers: the server says what
 * it thinks of them.
 */
export function validateObject(
  schemas: OpenApiSchemas,
  {
    definition,
    kind,
    object,
  }: { readonly definition: string; readonly kind: string; readonly object: unknown },
): readonly string[] {
  const errors = new Set<string>();
  const checker = new SchemaCheck(schemas, errors);
  checker.check(schemas.definition(definition) ?? {}, object, { item: kind, schema: definition }, 0);
  return [...errors];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function fits(type: string, value: unknown): boolean {
  if (typeof value === 'object') return false;
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  return type !== 'boolean' || typeof value === 'boolean';
}

/** Checks values against schemas and gathers what is wrong. */
class SchemaCheck {
  readonly #schemas: OpenApiSchemas;
  readonly #errors: Set<string>;

  constructor(schemas: OpenApiSchemas, errors: Set<string>) {
    this.#schemas = schemas;
    this.#errors = errors;
  }

  check(schema: Schema, value: unknown, place: Place, depth: number): void {
    if (depth > maxDepth || this.#errors.size >= maxErrors) return;
    const shape = shapeOf(schema);
    switch (shape.kind) {
      case 'reference': {
        const definition = this.#schemas.definition(shape.name) ?? {};
        this.check(definition, value, { item: place.item, schema: shape.name }, depth + 1);
        return;
      }
      case 'object':
        if (isJsonObject(value)) this.#checkFields(shape, value, place, depth);
        else this.#mismatch(place, value, 'map');
        return;
      case 'map':
        if (isJsonObject(value)) this.#checkValues(shape.values, value, place, depth);
        else this.#mismatch(place, value, 'map');
        return;
      case 'array':
        if (Array.isArray(value)) this.#checkItems(shape.items, value, place, depth);
        else this.#mismatch(place, value, 'array');
        return;
      case 'primitive':
        if (!fits(shape.type, value)) this.#mismatch(place, value, shape.type);
    }
  }

  #report(place: Place, text: string): void {
    this.#errors.add(`ValidationError(${place.item}): ${text}`);
  }

  #mismatch(place: Place, value: unknown, expected: string): void {
    this.#report(place, `invalid type for ${place.schema}: got "${typeOf(value)}", expected "${expected}"`);
  }

  #checkFields(
    { fields, required }: { fields: Readonly<Record<string, Schema>>; required: readonly string[] },
    value: Readonly<Record<string, unknown>>,
    place: Place,
    depth: number,
  ): void {
    for (const name of Object.keys(value).sort()) {
      if (value[name] === null) continue;
      const field = ownValue(fields, name);
      const inner = { item: `${place.item}.${name}`, schema: `${place.schema}.${name}` };
      if (field === undefined)
        this.#report(place, `unknown field ${JSON.stringify(name)} in ${place.schema}`);
      else this.check(field, value[name], inner, depth + 1);
    }
    for (const name of required) {
      if ((Object.hasOwn(value, name) ? value[name] : null) === null)
        this.#report(place, `missing required field ${JSON.stringify(name)} in ${place.schema}`);
    }
  }

  #checkItems(items: Schema, value: readonly unknown[], place: Place, depth: number): void {
    for (const [index, element] of value.entries()) {
      const item = `${place.item}[${index}]`;
      if (element === null) this.#report(place, `unknown object type "nil" in ${item}`);
      else this.check(items, element, { item, schema: place.schema }, depth + 1);
    }
  }

  #checkValues(values: Schema, value: Readonly<Record<string, unknown>>, place: Place, depth: number): void {
    for (const key of Object.keys(value).sort()) {
      const item = `${place.item}.${key}`;
      if (value[key] === null) this.#errors.add(`unknown object type "nil" in ${item}`);
      else this.check(values, value[key], { item, schema: place.schema }, depth + 1);
    }
  }
}
