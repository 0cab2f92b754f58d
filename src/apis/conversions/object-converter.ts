import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { type CompiledType, parseGroupVersion, type TypeCatalog } from '../../machinery/schema/index.ts';
import { directAutoscalerConversions } from './autoscaler/autoscaler-conversions.ts';
import type { KindFamily } from './kind-families.ts';
import { versionConversions } from './version-conversions.ts';

/** What to convert, and between which versions (`group/version`) of a kind. */
export interface ConvertRequest {
  readonly family: Pick<KindFamily, 'kind' | 'hub'>;
  readonly from: string;
  readonly to: string;
}

/**
 * Converts an object, canonical or changed by defaults, to a fresh canonical one of another version of its kind.
 *
 * @throws DecodeError when what an annotation holds for a field of the other version does not fit it.
 * @throws RangeError when the kind has no such version.
 */
export type ObjectConverter = (object: object, request: ConvertRequest) => Record<string, unknown>;

/** Makes the converter. It uses the conversions of the server, and neither sets defaults nor validates. */
export function createObjectConverter(dialect: Dialect, catalog: TypeCatalog): ObjectConverter {
  const conversions = versionConversions(dialect, catalog);
  const autoscalerWays = directAutoscalerConversions(dialect, catalog);
  const typeOf = (groupVersion: string, kind: string): CompiledType => {
    const parsed = parseGroupVersion(groupVersion);
    const type = parsed && catalog.kind({ ...parsed, kind });
    if (type === undefined) throw new RangeError(`no ${kind} in version ${groupVersion}`);
    return type;
  };
  return (object, { family: { kind, hub }, from, to }) => {
    const finish = (converted: ApiObject) => {
      converted.kind = kind;
      converted.apiVersion = to;
      return typeOf(to, kind).canonicalize(converted);
    };
    const conversionOf = (version: string) => conversions.get(dialect.unspell(`${version}.${kind}`));
    // Conversions use their input up and take any version's fields; each result is made canonical.
    const source = typeOf(from, kind).canonicalize(object) as unknown as ApiObject;
    const direct = kind === 'HorizontalPodAutoscaler' ? autoscalerWays.get(`${from} ${to}`) : undefined;
    if (direct !== undefined) return finish(direct(source));
    const middle = conversionOf(from)?.toStorage(source) ?? source;
    middle.apiVersion = hub;
    const stored = typeOf(hub, kind).canonicalize(middle) as unknown as ApiObject;
    return finish(conversionOf(to)?.fromStorage(stored) ?? stored);
  };
}
