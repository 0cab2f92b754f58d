import type { Ctl } from '../ctl.ts';
import type { WireObject } from './api-object.ts';
import { parseManifest } from './parse-manifest.ts';
import { readSources, type SourceRequest } from './read-sources.ts';
import { checkObject } from './resolve-files.ts';
import type { LiveTarget } from './resolve-objects.ts';

/**
 * Objects of files with what they say of themselves: nobody is asked what resources there are, so that messages name their kinds.
 *
 * @throws CtlError
 */
export async function readLocalObjects(
  ctl: Pick<Ctl, 'io' | 'dialect'>,
  request: SourceRequest,
): Promise<readonly LiveTarget[]> {
  const targets: LiveTarget[] = [];
  for (const { source, text } of await readSources(ctl, request)) {
    const reading = { isMade: Boolean(request.kustomize), isRelease: ctl.dialect.name !== 'orch' };
    for await (const { values } of parseManifest(text, source, reading)) {
      targets.push(...values.map((value) => toLocalTarget(checkObject(value, source))));
    }
  }
  return targets;
}

function toLocalTarget(object: WireObject): LiveTarget {
  const [version = '', group = ''] = object.apiVersion.split('/').reverse();
  const singularName = object.kind.toLowerCase();
  const { name = '', namespace = '' } = object.metadata;
  const lists = { shortNames: [], categories: [], verbs: [], subresources: [] };
  const resource = {
    group,
    version,
    kind: object.kind,
    singularName,
    name: group === '' ? singularName : `${singularName}.${group}`,
    isNamespaced: false,
    ...lists,
  };
  return { resource, name, namespace, object };
}
