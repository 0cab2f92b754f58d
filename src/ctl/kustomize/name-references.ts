import { isStrings } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { Configuration, KindSelector } from './configuration.ts';
import type { Resource } from './resource.ts';
import { changeFields } from './transform.ts';

/** Puts the names that objects have now where others name them as they were called. @throws CtlError */
export function fixNameReferences(resources: readonly Resource[], configuration: Configuration): void {
  const byName = Map.groupBy(resources, ({ originalName }) => originalName);
  for (const resource of resources) {
    for (const reference of configuration.nameReference) {
      changeFields(resource, reference.fieldSpecs, (value) => {
        const rename = (name: string) => newName(name, reference, resource, byName);
        if (typeof value === 'string') return rename(value);
        if (isStrings(value)) return value.map(rename);
        if (value === undefined || value === null) return value;
        throw new CtlError(`${JSON.stringify(value)} is expected to be a name or a list of names`);
      });
    }
  }
}

function newName(
  name: string,
  selector: KindSelector,
  referrer: Resource,
  byName: ReadonlyMap<string, readonly Resource[]>,
): string {
  const named = (byName.get(name) ?? []).filter((candidate) => isInReach(candidate, referrer));
  const target = named.find((candidate) => candidate.isSelectedBy(selector));
  if (target === undefined) return name;
  const matches = named.filter((candidate) => candidate.isNamedLike(target));
  if (matches.length > 1) {
    const ids = matches.map(({ id }) => id).join(' ');
    throw new CtlError(`Multiple matches for name ${target.id}:\n  [${ids}]`);
  }
  return target.name;
}

/** Objects name those of their own namespace that came by the same bases; all kinds without namespace name any. */
function isInReach(candidate: Resource, referrer: Resource): boolean {
  if (referrer.isClusterWide || candidate.isClusterWide) return true;
  return (
    candidate.namespace === referrer.namespace &&
    candidate.prefixes[0] === referrer.prefixes[0] &&
    candidate.suffixes.at(-1) === referrer.suffixes.at(-1)
  );
}
