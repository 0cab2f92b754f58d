import { methods, type Operation, type Parameter, type PathItem, type Schema } from './swagger.ts';

/** A value of an OpenAPI 3 document. */
export type V3Value = Readonly<Record<string, unknown>>;

const toReference = (text: string): string => text.replace('#/definitions/', '#/components/schemas/');

/** Types whose JSON form OpenAPI 3 can say and version 2 cannot, by the name behind the last dot. */
const alternatives: Readonly<Record<string, V3Value>> = {
  IntOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
};

/** The definition of a built-in type. Values with more than one JSON form say so. */
export function toV3Definition(name: string, { description, ...schema }: Schema): V3Value {
  const about = description === undefined ? {} : { description };
  const other = alternatives[name.slice(name.lastIndexOf('.') + 1)];
  return other === undefined ? toV3Schema({ ...about, ...schema }) : { ...about, ...other };
}

/** A schema as OpenAPI 3 has it. What stands beside a reference counts only when it is one of `allOf`. */
export function toV3Schema(schema: Schema): V3Value {
  const { $ref, items, properties, additionalProperties, ...rest } = schema;
  const reference = $ref === undefined ? undefined : { $ref: toReference($ref) };
  if (reference !== undefined)
    return Object.keys(rest).length === 0 ? reference : { ...rest, allOf: [reference] };
  return {
    ...rest,
    ...(items && { items: toV3Schema(items) }),
    ...(additionalProperties && {
      additionalProperties: additionalProperties === true || toV3Schema(additionalProperties),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, toV3Schema(field)]),
      ),
    }),
  };
}

const toContent = (types: readonly string[], schema: Schema): V3Value => {
  const media = { schema: toV3Schema(schema) };
  return Object.fromEntries(types.map((type) => [type, media]));
};

function toParameter({ name, in: place, description, required, type, uniqueItems }: Parameter): V3Value {
  return {
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(required === true ? { required } : {}),
    schema: { type, uniqueItems },
  };
}

function toOperation(operation: Operation): V3Value {
  const { consumes = ['*/*'], produces = [], schemes: _, parameters = [], responses, ...rest } = operation;
  const body = parameters.find((parameter) => parameter.in === 'body');
  const others = parameters.filter((parameter) => parameter.in !== 'body');
  const answers = Object.entries(responses).map(([code, { description, schema }]) => [
    code,
    { description, ...(schema && { content: toContent(produces, schema) }) },
  ]);
  return {
    ...rest,
    ...(others.length === 0 ? {} : { parameters: others.map(toParameter) }),
    ...(body?.schema && {
      requestBody: {
        content: toContent(consumes, body.schema),
        ...(body.required === true ? { required: true } : {}),
      },
    }),
    responses: Object.fromEntries(answers),
  };
}

/** A path with its methods as OpenAPI 3 has it. */
export function toV3PathItem(item: PathItem): V3Value {
  const out: Record<string, unknown> = {};
  for (const method of methods) {
    const operation = item[method];
    if (operation !== undefined) out[method] = toOperation(operation);
  }
  return item.parameters === undefined ? out : { ...out, parameters: item.parameters.map(toParameter) };
}
