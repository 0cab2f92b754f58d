import type { Schema } from '../../apis/openapi/index.ts';
import { createResourceMapper } from '../../client/discovery/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';
import type { Ctl } from '../ctl.ts';
import { findField } from '../explain/find-field.ts';
import { typeNameOf } from '../explain/type-name.ts';
import type { Candidate } from './candidate.ts';
import { offerTypes } from './objects.ts';

/** References and lists within one another beyond this depth make no sense. */
const maxDepth = 32;

/** `TYPE[.FIELD...]`, as `explain` takes it. */
export async function offerFields(ctl: Ctl, current: string, version: string): Promise<Candidate[]> {
  const dot = current.lastIndexOf('.');
  if (dot < 0) return (await offerTypes(ctl, current)).filter(({ text }) => !text.includes('.'));
  const [type = '', ...path] = current.slice(0, dot).split('.');
  const resource = createResourceMapper(await (await ctl.discovery()).get()).find(type);
  if (resource === undefined) return [];
  const { kind } = resource;
  const [inVersion = resource.version, inGroup = ''] = version === '' ? [] : version.split('/').reverse();
  const identity = { group: version === '' ? resource.group : inGroup, version: inVersion, kind };
  const schemas = await (await ctl.openApi()).get([identity]);
  const root = schemas.definition(schemas.nameOf(identity) ?? '');
  if (root === undefined) return [];
  return Object.entries(fieldsOf(schemas, findField(schemas, root, path))).map(([name, schema]) => ({
    text: `${current.slice(0, dot)}.${name}`,
    help: typeNameOf(schemas, schema),
  }));
}

/** The fields of an object, of the items of a list, or of what is referred to. */
function fieldsOf(schemas: OpenApiSchemas, schema: Schema, depth = 0): Readonly<Record<string, Schema>> {
  if (depth > maxDepth) return {};
  const shape = shapeOf(schema);
  if (shape.kind === 'object') return shape.fields;
  if (shape.kind === 'array') return fieldsOf(schemas, shape.items, depth + 1);
  if (shape.kind !== 'reference') return {};
  return fieldsOf(schemas, schemas.definition(shape.name) ?? {}, depth + 1);
}
