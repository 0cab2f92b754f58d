import type { Dialect } from '../../machinery/dialect.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import { isReleaseFrom, type Lifecycle, lifecycleOf, loadVersionHistory } from './version-history.ts';

/** Why clients should leave an API. */
export interface Deprecation {
  /** Text for the client, as release 1.20 words it. */
  readonly warning: string;
  /** First release without the API (`1.22`); empty when none is named. */
  readonly removedRelease: string;
}

/** Finds what is deprecated by the release that is served. */
export type FindDeprecation = (gvk: GroupVersionKind) => Deprecation | undefined;

/** Makes the search for a dialect. Kinds that a later release deprecates are not found. */
export function createDeprecations(dialect: Dialect): FindDeprecation {
  const history = loadVersionHistory(dialect);
  return ({ group, version, kind }) => {
    const groupVersion = formatGroupVersion(group, version);
    const life = lifecycleOf(history, groupVersion, kind);
    if (life?.deprecated === undefined || !isReleaseFrom(history.release, life.deprecated)) return undefined;
    return { warning: describe(`${groupVersion} ${kind}`, kind, life), removedRelease: life.removed ?? '' };
  };
}

function describe(name: string, kind: string, { deprecated, removed, replacement }: Lifecycle): string {
  const end = removed === undefined ? '' : `, unavailable in v${removed}+`;
  return `${name} is deprecated in v${deprecated}+${end}${replacement ? `; use ${nameReplacement(replacement, kind)}` : ''}`;
}

function nameReplacement(replacement: string, kind: string): string {
  return replacement.includes(' ') ? replacement : `${replacement} ${kind}`;
}
