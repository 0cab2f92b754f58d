import type { Schema } from '../../apis/openapi/index.ts';
import { isJsonObject, ownValue } from '../../base/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';
import { nearestName } from '../../config/index.ts';

/** Something that does not fit, and where. */
export interface ManifestFault {
  /** Keys of maps and positions in lists. */
  readonly path: readonly (string | number)[];
  /** What is wrong there, in own words. */
  readonly text: string;
  /** The whole in the words of the reference client; none when that client leaves it to the server. */
  readonly releaseText: string | undefined;
}

/** What a value and its schema are called in messages. */
interface Place {
  /** `Pod.spec.containers[0]` */
  readonly item: string;
  /** `io.orch.api.core.v1.Container.image`: a definition and the field in it. */
  readonly schema: string;
  readonly path: ManifestFault['path'];
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
): readonly ManifestFault[] {
  const faults = new Map<string, ManifestFault>();
  const checker = new SchemaCheck(schemas, faults);
  const root = { item: kind, schema: definition, path: [] };
  checker.check(schemas.definition(definition) ?? {}, object, root, 0);
  return [...faults.values()];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  map: 'a map',
  number: 'a number',
  string: 'text',
};

/** Text and nothing else; quantities and ports have definitions or formats of their own. */
function isPlainText({ $ref, type, format }: Schema): boolean {
  return $ref === undefined && type === 'string' && format === undefined;
}

function fits(type: string, value: unknown): boolean {
  if (typeof value === 'object') return false;
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  return type !== 'boolean' || typeof value === 'boolean';
}

/** Checks values against schemas and gathers what is wrong. */
class SchemaCheck {
  readonly #schemas: OpenApiSchemas;
  readonly #faults: Map<string, ManifestFault>;

  constructor(schemas: OpenApiSchemas, faults: Map<string, ManifestFault>) {
    this.#schemas = schemas;
    this.#faults = faults;
  }

  check(schema: Schema, value: unknown, place: Place, depth: number): void {
    if (depth > maxDepth || this.#faults.size >= maxErrors) return;
    const shape = shapeOf(schema);
    switch (shape.kind) {
      case 'reference': {
        const definition = this.#schemas.definition(shape.name) ?? {};
        this.check(definition, value, { ...place, schema: shape.name }, depth + 1);
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

  /** One fault of each text: what several fields share is told once, as the reference client does. */
  #add(releaseText: string, path: ManifestFault['path'], text: string): void {
    if (!this.#faults.has(releaseText)) this.#faults.set(releaseText, { path, text, releaseText });
  }

  #mismatch(place: Place, value: unknown, expected: string): void {
    const got = typeOf(value);
    const release = `invalid type for ${place.schema}: got "${got}", expected "${expected}"`;
    const text = `is ${typeNames[got] ?? got}, must be ${typeNames[expected] ?? expected}`;
    this.#add(`ValidationError(${place.item}): ${release}`, place.path, text);
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
      const path = [...place.path, name];
      const inner = { item: `${place.item}.${name}`, schema: `${place.schema}.${name}`, path };
      if (field === undefined) {
        const release = `unknown field ${JSON.stringify(name)} in ${place.schema}`;
        const near = nearestName(name, Object.keys(fields));
        const text = `unknown field${near === undefined ? '' : `; did you mean ${near}?`}`;
        this.#add(`ValidationError(${place.item}): ${release}`, path, text);
      } else this.check(field, value[name], inner, depth + 1);
    }
    for (const name of required) {
      if ((Object.hasOwn(value, name) ? value[name] : null) === null)
        this.#add(
          `ValidationError(${place.item}): missing required field ${JSON.stringify(name)} in ${place.schema}`,
          [...place.path, name],
          'is required, but missing',
        );
    }
  }

  #checkItems(items: Schema, value: readonly unknown[], place: Place, depth: number): void {
    for (const [index, element] of value.entries()) {
      const item = `${place.item}[${index}]`;
      const path = [...place.path, index];
      if (element === null) {
        this.#add(`ValidationError(${place.item}): unknown object type "nil" in ${item}`, path, 'is empty');
      } else this.check(items, element, { item, schema: place.schema, path }, depth + 1);
    }
  }

  #checkValues(values: Schema, value: Readonly<Record<string, unknown>>, place: Place, depth: number): void {
    for (const key of Object.keys(value).sort()) {
      const item = `${place.item}.${key}`;
      const path = [...place.path, key];
      const held = value[key];
      if (held === null) this.#add(`unknown object type "nil" in ${item}`, path, 'is empty');
      else if (isPlainText(values) && (typeof held === 'boolean' || typeof held === 'number')) {
        // The server refuses the whole object for it, mostly without naming the field.
        const text = `is ${held}, must be text; quote it`;
        this.#faults.set(`${item} ${text}`, { path, text, releaseText: undefined });
      } else this.check(values, held, { item, schema: place.schema, path }, depth + 1);
    }
  }
}
