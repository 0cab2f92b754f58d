import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { preferredResources } from '../api-resources.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { createTextTable, toCellText } from '../printers/text-table.ts';
import { type SearchRoot, searchFields } from './search-fields.ts';

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
