import { compareVersions, formatGroupVersion } from '../../machinery/schema/index.ts';
import { loadPriorities } from './resource-data.ts';
import type { ResourceTable } from './resource-table.ts';
import type { ServedGroup } from './served-resource.ts';

/** A version of a group, with its place in discovery. */
export interface RankedVersion {
  readonly group: string;
  readonly version: string;
  /** Higher comes first; the highest one of its versions counts for a group. */
  readonly groupPriorityMinimum: number;
  /** Higher comes first, and is preferred. */
  readonly versionPriority: number;
}

/** Rank of versions that come from definitions. Source: release 1.20, `crdregistration`. */
export const customRank = { groupPriorityMinimum: 1000, versionPriority: 100 };

/**
 * All groups in discovery order. Built-in groups come first; their versions that came later are preferred. Where other
 * servers serve versions, the rank of each registration decides, as release 1.20 sorts them.
 */
export function joinGroups(
  table: ResourceTable,
  changing: readonly ServedGroup[],
  remote: readonly RankedVersion[],
): readonly ServedGroup[] {
  const joined = joinOwn(table.groups, changing);
  if (remote.length === 0) return joined;
  const own = joined.flatMap((group) => rankOwn(table, group));
  const byName = new Map([...own, ...remote].map((one) => [`${one.version}.${one.group}`, one]));
  const sorted = [...byName].sort(
    ([nameA, a], [nameB, b]) => b.groupPriorityMinimum - a.groupPriorityMinimum || (nameA < nameB ? -1 : 1),
  );
  const groups = Map.groupBy(sorted, ([, { group }]) => group);
  return [...groups].map(([name, entries]) => {
    const versions = entries
      .map(([, entry]) => entry)
      .sort((a, b) => b.versionPriority - a.versionPriority || compareVersions(a.version, b.version))
      .map(({ version }) => version);
    return { name, versions, preferredVersion: versions[0] ?? '' };
  });
}

function joinOwn(fixed: readonly ServedGroup[], changing: readonly ServedGroup[]): readonly ServedGroup[] {
  const more = new Map(changing.map((group) => [group.name, group]));
  const joined = fixed.map((group) => {
    const added = more.get(group.name);
    if (added === undefined) return group;
    more.delete(group.name);
    const versions = [...new Set([...added.versions, ...group.versions])];
    return { name: group.name, versions, preferredVersion: added.preferredVersion };
  });
  return [...joined, ...more.values()];
}

/** Ranks of a group that this server serves. One without a registration is first among all: that of registrations. */
function rankOwn({ dialect, groups }: ResourceTable, { name, versions }: ServedGroup): RankedVersion[] {
  const priorities = loadPriorities(dialect);
  const builtIn = groups.find((group) => group.name === name);
  const first = { groupPriorityMinimum: Number.MAX_SAFE_INTEGER, versionPriority: 0 };
  return versions.map((version) => {
    const isBuiltIn = builtIn?.versions.includes(version) === true;
    const rank = isBuiltIn ? (priorities[formatGroupVersion(name, version)] ?? first) : customRank;
    // The core group is in no list of groups.
    const core = name === '' ? { groupPriorityMinimum: Number.POSITIVE_INFINITY } : {};
    return { group: name, version, ...rank, ...core };
  });
}
