import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import data from './deprecations.json' with { type: 'json' };

/** Life of a kind in one version. Releases are written `1.20`. */
export interface Lifecycle {
  /** First release that served it. */
  readonly since: string;
  readonly deprecated?: string | undefined;
  /** First release without it. */
  readonly removed?: string | undefined;
  /** `group/version` where the same kind lives on, or `group/version Kind`; empty when nothing replaces it. */
  readonly replacement?: string | undefined;
}

/** Life of a version: that of its kinds, but where they differ. */
export interface VersionLifecycle extends Lifecycle {
  readonly kinds?: Readonly<Record<string, Partial<Lifecycle>>> | undefined;
  /** What to change in an object on the way to the replacement, a Markdown phrase each. */
  readonly changes?: readonly string[] | undefined;
}

/** Kinds of a version that is not served any more. */
export interface GoneVersion {
  readonly version: string;
  readonly kinds: readonly string[];
  readonly removed: string;
  readonly replacement: string;
}

/** When versions came, and when they go. */
export interface VersionHistory {
  /** Release of the API that is served; later ones are plans. */
  readonly release: string;
  /** By `group/version`, all that can be served. */
  readonly versions: Readonly<Record<string, VersionLifecycle>>;
  readonly gone: readonly GoneVersion[];
}

/** The history of the built-in versions in the names of a dialect. */
export function loadVersionHistory(dialect: Dialect): VersionHistory {
  // The file's inferred type has one shape per version; all fit the interface (a test checks each).
  return translateData(dialect, ownData<VersionHistory>(data));
}

/** Life of one kind in a version (`group/version`); undefined for a version without history. */
export function lifecycleOf(history: VersionHistory, version: string, kind: string): Lifecycle | undefined {
  const found = Object.hasOwn(history.versions, version) ? history.versions[version] : undefined;
  if (found === undefined) return undefined;
  const { kinds = {}, changes: _, ...common } = found;
  return { ...common, ...(Object.hasOwn(kinds, kind) ? kinds[kind] : {}) };
}

/** True when the release `release` is `other` or later. */
export function isReleaseFrom(release: string, other: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major === otherMajor ? minor >= otherMinor : major > otherMajor;
}
