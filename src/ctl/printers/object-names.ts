import { asJsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { formatObjectName } from './name.ts';

/** Lists lie no deeper in one another than this. */
const maxListDepth = 16;

/** What an object is: its own word, or that of the list that it is in. */
interface TypeMeta {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}

/**
 * The name of an object, or those of the items of a list; lists in lists count with theirs. Items of a list of one kind
 * may leave out what they are.
 *
 * @throws CtlError when something does not say what it is.
 */
export function formatObjectNames(object: unknown, inherited: TypeMeta = {}, depth = 0): string[] {
  if (depth > maxListDepth) throw new CtlError(`lists lie deeper than ${maxListDepth} in one another`);
  // Any value may be read by name; what is found is checked.
  const {
    apiVersion = inherited.apiVersion,
    kind = inherited.kind,
    items,
  } = (object ?? {}) as TypeMeta & { items?: unknown };
  const isList = kind === undefined || (typeof kind === 'string' && kind.endsWith('List'));
  if (!isList || !Array.isArray(items)) return [formatOne(object, apiVersion, kind)];
  const bare =
    kind === undefined || kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.flatMap((item) => formatObjectNames(item, bare, depth + 1));
}

function formatOne(object: unknown, apiVersion: unknown, kind: unknown): string {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new CtlError('the object has no apiVersion or kind');
  const slash = apiVersion.indexOf('/');
  return formatObjectName({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind, name: nameOf(object) });
}

/** As the release shows it: objects need neither a name nor metadata. */
function nameOf(object: unknown): string {
  const { metadata } = asJsonObject(object);
  const { name } = asJsonObject(metadata);
  return typeof name === 'string' && name !== '' ? name : '<unknown>';
}
