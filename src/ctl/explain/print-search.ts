import type { Schema } from '../../apis/openapi/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { type OpenApiSchemas, shapeOf } from '../../client/openapi/index.ts';
import { preferredResources } from '../api-resources.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { createTextTable, toCellText } from '../printers/text-table.ts';

/** So many lines fit a look; more of them help nobody. */
const maxShown = 50;
const maxSentence = 100;

/** `ctl explain --search`: fields of all types, or of one, by a word. @throws CtlError when there is none */
export async function printSearch(ctl: Ctl, word: string, typed: string | undefined): Promise<void> {
  const resources = typed === undefined ? await listTypes(ctl) : [await ctl.findResource(typed)];
  const schemas = await (await ctl.openApi()).get(resources);
  const roots = resources.flatMap((resource): SearchRoot[] => {
    const definition = schemas.nameOf(resource);
    const schema = definition === undefined ? undefined : schemas.definition(definition);
    return schema === undefined ? [] : [{ name: typed ?? resource.name, schema }];
  });
  const found = searchFields(schemas, roots, word);
  if (found.length === 0)
    throw new CtlError(`no field has ${JSON.stringify(word)} in its name or description`);
  const rows = found
    .slice(0, maxShown)
    .map(({ path, description }) => [path, toCellText(firstSentence(description))]);
  ctl.io.stdout.write(createTextTable().format(rows));
  if (found.length > maxShown) ctl.io.stdout.write(`... and ${found.length - maxShown} more\n`);
}

/** Types by the name that `ctl explain` takes. Of several groups that have one, it takes the first. */
async function listTypes(ctl: Ctl): Promise<readonly DiscoveredResource[]> {
  const types = new Map<string, DiscoveredResource>();
  for (const resource of preferredResources(await (await ctl.discovery()).get()))
    if (!types.has(resource.name)) types.set(resource.name, resource);
  return [...types.values()];
}

function firstSentence(description: string): string {
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description;
  const line = sentence.replace(/\s+/g, ' ');
  return line.length > maxSentence ? `${line.slice(0, maxSentence - 1)}…` : line;
}

/** A kind to search in. */
interface SearchRoot {
  /** As `ctl explain` takes it: `deployments`. */
  readonly name: string;
  readonly schema: Schema;
}

/** A field that fits. */
interface FoundField {
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
