import type { Schema } from '../../apis/openapi/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';

/** A kind to search in. */
export interface SearchRoot {
  /** As `ctl explain` takes it: `deployments`. */
  readonly name: string;
  readonly schema: Schema;
}

/** A field that fits. */
export interface FoundField {
  /** As `ctl explain` takes it: `pods.spec.containers.image`. */
  readonly path: string;
  readonly description: string;
}

/** A field on the way down, and how many names lead to it. */
interface Step {
  readonly path: string;
  readonly depth: number;
  readonly schema: Schema;
}

/**
 * The fields whose name or description has the word, whatever its case: first those that are called so, then names that begin
 * with it, that hold it, and descriptions. Each field of a type is found once, by the shortest way to it.
 */
export function searchFields(
  schemas: OpenApiSchemas,
  roots: readonly SearchRoot[],
  word: string,
): readonly FoundField[] {
  const wanted = word.toLowerCase();
  const found: { readonly rank: number; readonly step: Step; readonly description: string }[] = [];
  const entered = new Set<string>();
  const queue: Step[] = roots.map(({ name, schema }) => ({ path: name, depth: 0, schema }));
  // It grows meanwhile, and ends: definitions, which alone can hold themselves, are entered once.
  for (const step of queue) {
    for (const [name, schema] of fieldsOf(schemas, step.schema, entered)) {
      const next = { path: `${step.path}.${name}`, depth: step.depth + 1, schema };
      const description = typeof schema.description === 'string' ? schema.description : '';
      const rank = rankOf(wanted, name.toLowerCase(), description.toLowerCase());
      if (rank !== undefined) found.push({ rank, step: next, description });
      queue.push(next);
    }
  }
  found.sort((a, b) => a.rank - b.rank || a.step.depth - b.step.depth);
  return found.map(({ step, description }) => ({ path: step.path, description }));
}

/** The fields of a schema, through lists, maps and references; none of a definition that was entered before. */
function fieldsOf(
  schemas: OpenApiSchemas,
  schema: Schema,
  entered: Set<string>,
): readonly (readonly [string, Schema])[] {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'reference':
      if (entered.has(shape.name)) return [];
      entered.add(shape.name);
      return fieldsOf(schemas, schemas.definition(shape.name) ?? {}, entered);
    case 'array':
      return fieldsOf(schemas, shape.items, entered);
    case 'map':
      return fieldsOf(schemas, shape.values, entered);
    case 'object':
      return Object.entries(shape.fields);
    default:
      return [];
  }
}

function rankOf(wanted: string, name: string, description: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  return description.includes(wanted) ? 3 : undefined;
}
