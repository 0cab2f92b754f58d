import type { Dialect } from '../../machinery/dialect.ts';
import { formatGroupVersion, parseGroupVersion, type TypeCatalog } from '../../machinery/schema/index.ts';
import type { Exchange } from '../request/exchange.ts';
import scheme from './options-scheme.json' with { type: 'json' };

/** The kind of the options of deletions. */
export const optionsKind = 'DeleteOptions';

/** Where the options of a deletion are read. */
export interface OptionsPlace {
  readonly info: Exchange['info'];
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly metaGroup: string;
  /** Whether objects are deleted whose types are not known beforehand. */
  readonly isUnstructured: boolean;
}

/**
 * Why a body is no options by the kind and version that it names; undefined when it is. Release 1.20 reads the options of
 * one object in a scheme of their own, those of collections in that of all kinds. A name that is empty says nothing.
 */
export function describeMisfit(
  place: OptionsPlace,
  named: Readonly<Record<string, unknown>>,
): string | undefined {
  const kind = `${named.kind ?? ''}` || optionsKind;
  const apiVersion = `${named.apiVersion ?? ''}`;
  const { info, isUnstructured } = place;
  const isFree = info.name !== '' || apiVersion === '' || isUnstructured;
  if (kind === optionsKind && isFree) return undefined;
  if (scheme.unversioned.includes(kind)) return unconverted(`v1.${kind}`);
  return info.name === ''
    ? misfitOfCollection(place, kind, apiVersion)
    : misfitOfOne(place, kind, apiVersion);
}

function misfitOfOne({ dialect, metaGroup }: OptionsPlace, kind: string, apiVersion: string): string {
  const given = apiVersion || `${metaGroup}/v1`;
  if (scheme.metaUnversioned.includes(kind)) return unconverted(`v1.${kind}`);
  if (given === `${metaGroup}/v1` && [...scheme.everyVersion, ...scheme.meta].includes(kind))
    return unconverted(`v1.${kind}`);
  const internal =
    given === `${metaGroup}/__internal`
      ? Object.entries(scheme.metaInternal).find(([k]) => k === kind)
      : undefined;
  return internal === undefined
    ? unregistered(kind, given, dialect.metaSchemeName)
    : unconverted(internal[1]);
}

function misfitOfCollection(
  { info, dialect, catalog, metaGroup, isUnstructured }: OptionsPlace,
  kind: string,
  apiVersion: string,
): string | undefined {
  const given = apiVersion || formatGroupVersion(info.group, info.version);
  const named = parseGroupVersion(given);
  const isKnown =
    kind === optionsKind || scheme.everyVersion.includes(kind)
      ? catalog.hasVersion(given, info.group)
      : named !== undefined && named.group !== metaGroup && catalog.kind({ ...named, kind }) !== undefined;
  if (!isKnown && !isUnstructured) return unregistered(kind, given, dialect.schemeOf(info.group));
  return kind === optionsKind ? undefined : unconverted(`${named?.version ?? given}.${kind}`);
}

const unconverted = (what: string): string =>
  `converting (${what}) to (v1.${optionsKind}): unknown conversion`;

const unregistered = (kind: string, groupVersion: string, schemeName: string): string =>
  `no kind "${kind}" is registered for ${shownVersion(groupVersion)} in scheme "${schemeName}"`;

/** A version as messages of schemes name it. */
function shownVersion(groupVersion: string): string {
  const { group = '', version } = parseGroupVersion(groupVersion) ?? {};
  return version === '__internal' ? `the internal version of group "${group}"` : `version "${groupVersion}"`;
}
