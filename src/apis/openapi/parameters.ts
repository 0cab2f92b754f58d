import data from './parameters.json' with { type: 'json' };
import type { Parameter, Schema } from './swagger.ts';

interface QueryData {
  readonly type: string;
  readonly about: string;
}

function toQuery([name, { type, about }]: [string, QueryData]): Parameter {
  return { uniqueItems: true, type, description: about, name, in: 'query' };
}

const group = (entries: Readonly<Record<string, QueryData>>): readonly Parameter[] =>
  Object.entries(entries).map(toQuery);

/** Parameter that every path has. */
export const prettyParameter: Parameter = toQuery(['pretty', data.pretty]);
/** Query parameters by what is asked for. Each is one value, so that equal parameters are identical. */
export const queryParameters = {
  create: group(data.create),
  delete: group(data.delete),
  get: group(data.get),
  list: group(data.list),
  patch: group(data.patch),
} as const;

const options = new Map(
  Object.entries<Readonly<Record<string, QueryData>>>(data.options).map(([kind, entries]) => [
    kind,
    group(entries),
  ]),
);

/** Query parameters of a subresource whose options are of this kind; none for other kinds. */
export function parametersOfOptions(kind: string): readonly Parameter[] {
  return options.get(kind) ?? [];
}

/** Order of parameters in a list: by name, then by where they are. */
export function compareParameters(a: Parameter, b: Parameter): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.in < b.in ? -1 : 1;
}

/** A part of the path; `kind` is that of the object in it. */
export function pathParameter(name: keyof typeof data.path, kind = ''): Parameter {
  const description = data.path[name].replace('{kind}', kind);
  return { uniqueItems: true, type: 'string', description, name, in: 'path', required: true };
}

/** The body of a request. */
export function bodyParameter(schema: Schema, { isRequired }: { readonly isRequired: boolean }): Parameter {
  return { name: 'body', in: 'body', ...(isRequired ? { required: true } : {}), schema };
}
