/** `ctl schema`: what the server serves as JSON Schema, for editors and checks of manifests. It shows no objects. */
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { OpenApiSchemas } from '../../client/openapi/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { formatTypedJson } from '../printers/json.ts';
import { apiVersionOf } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { type DocumentKind, toJsonSchema } from './json-schema.ts';

/** The verb. */
export const schemaVerb = defineVerb({
  program: {
    name: 'ctl schema',
    summary: 'Print JSON Schema of types, for editors',
    usage: '(TYPE... | all)',
    options: [],
    examples: [
      { command: 'ctl schema deployments', does: 'print what a deployment may hold' },
      { command: 'ctl schema all >all.json', does: 'write what any manifest may hold, custom resources too' },
    ],
  },
  async run(ctl, { args }) {
    if (args.length === 0) throw new UsageError('name types, or all');
    const isAll = args[0] === 'all' && args.length === 1;
    const resources = isAll ? await listAll(ctl) : await find(ctl, args);
    const schemas = await readSchemas(ctl, resources);
    const kinds = resources.flatMap((resource): DocumentKind[] => {
      const definition = schemas.nameOf(resource);
      if (definition !== undefined)
        return [{ apiVersion: apiVersionOf(resource), kind: resource.kind, definition }];
      if (isAll) return [];
      throw new CtlError(`the server says nothing of the fields of ${resource.name}`);
    });
    ctl.io.stdout.write(formatTypedJson(toJsonSchema(schemas, kinds)));
  },
});

/** What was kept of an earlier command may know less than the server. */
async function readSchemas(ctl: Ctl, resources: readonly DiscoveredResource[]): Promise<OpenApiSchemas> {
  const cache = await ctl.openApi();
  const kept = await cache.get(resources);
  const isWhole = resources.every((resource) => kept.nameOf(resource) !== undefined);
  return isWhole ? kept : cache.refresh(resources);
}

const find = (ctl: Ctl, names: readonly string[]): Promise<readonly DiscoveredResource[]> =>
  Promise.all(names.map((name) => ctl.findResource(name)));

/** All types in all versions that can be created: manifests may be of any of them, also of new ones. */
async function listAll(ctl: Ctl): Promise<readonly DiscoveredResource[]> {
  const { resources } = await (await ctl.discovery()).refresh();
  return resources.filter(({ verbs }) => verbs.includes('create'));
}
