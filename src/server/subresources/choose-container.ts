import type { Pod } from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';

/**
 * The container of a pod that is meant: the one that was named, or the only one. Release 1.20 offers those of a log in
 * one list, in which they start, and those of a connection in two.
 *
 * @throws StatusError 400 when none, or one that is not there, is meant.
 */
export function chooseContainer(
  { metadata, spec }: Pod,
  wanted: string,
  { isForLog = false }: { readonly isForLog?: boolean } = {},
): string {
  const names = namesOf(spec.containers);
  const initNames = namesOf(spec.initContainers);
  if (wanted !== '') {
    const known = [...names, ...initNames, ...namesOf(spec.ephemeralContainers)];
    if (known.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  }
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  let text = `a container name must be specified for pod ${metadata.name}`;
  const offered = isForLog ? [...initNames, ...names] : names;
  if (names.length > 0) text += `, choose one of: [${offered.join(' ')}]`;
  if (names.length > 0 && initNames.length > 0 && !isForLog)
    text += ` or one of the init containers: [${initNames.join(' ')}]`;
  throw badRequest(text);
}

const namesOf = (containers: readonly { readonly name: string }[] | null | undefined): string[] =>
  (containers ?? []).map(({ name }) => name);
