import { asJsonObject, asText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import type { DryRun } from '../options/shared.ts';
import type { ManifestTarget } from '../resource/resolve-files.ts';
import { changeQuery } from './reporter.ts';

/** Posts an object and returns what the server made of it; a client's rehearsal returns the object itself. */
export async function createObject(
  ctl: Ctl,
  { resource, namespace, object }: Pick<ManifestTarget, 'resource' | 'namespace' | 'object'>,
  { dryRun, fieldManager }: { readonly dryRun: DryRun; readonly fieldManager: string },
): Promise<unknown> {
  if (dryRun === 'client') return object;
  const client = await ctl.client();
  return client.json({
    method: 'POST',
    path: resourcePath({
      group: resource.group,
      version: resource.version,
      resource: resource.name,
      namespace,
    }),
    query: changeQuery(fieldManager, dryRun),
    body: withoutVersion(object),
    signal: ctl.io.signal,
  });
}

/** A new object has no version; what was exported from a server names one. */
function withoutVersion(object: ManifestTarget['object']): unknown {
  const metadata = asJsonObject(object.metadata);
  if (!metadata.resourceVersion) return object;
  const { resourceVersion: _version, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** The name that an object has. */
export function nameOf(object: unknown): string {
  return asText(asJsonObject(asJsonObject(object).metadata).name);
}
