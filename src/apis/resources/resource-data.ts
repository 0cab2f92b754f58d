import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import priorities from './priorities.json' with { type: 'json' };
import data from './resources.json' with { type: 'json' };

/** A group as the data has it; `defaultVersions` are served without `--runtime-config`. */
export interface GroupData {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferred: string;
  readonly defaultVersions: readonly string[];
  /** Served only when `--runtime-config` names them: `api/all` and `api/alpha` do not stand for them. */
  readonly namedVersions?: readonly string[] | undefined;
}

/** A subresource as the data has it; `gate` must be enabled for it to be served. */
export interface SubresourceData {
  readonly gv: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly gate?: string | undefined;
}

/** A resource as the data has it. */
export interface ResourceData {
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly storage?: string | undefined;
  readonly storePrefix?: string | undefined;
  readonly gate?: string | undefined;
  /** The key of `--runtime-config` that serves it: without it the resource is not there, as in release 1.20. */
  readonly named?: string | undefined;
  readonly sub?: Readonly<Record<string, SubresourceData>> | undefined;
}

/** Everything that `resources.json` holds. */
export interface ResourcesData {
  /** Keys of `--runtime-config` that turn on what later releases have within resources of this one. */
  readonly features: readonly string[];
  readonly groups: readonly GroupData[];
  /** By `group/version`, then plural name. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, ResourceData>>>>;
  readonly rootPaths: readonly string[];
}

/** Ranks of a version among groups and within its group; the higher comes first in discovery. */
export interface VersionPriority {
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** The built-in resources in the names of a dialect. */
export function loadResources(dialect: Dialect): ResourcesData {
  // The file's inferred type has one shape per entry; all entries fit the interface (a test checks each).
  return translateData(dialect, ownData<ResourcesData>(data));
}

/** Priorities by `group/version` in the names of a dialect. */
export function loadPriorities(dialect: Dialect): Readonly<Record<string, VersionPriority>> {
  return translateData(dialect, ownData<Readonly<Record<string, VersionPriority>>>(priorities));
}
