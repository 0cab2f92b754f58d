import type { Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { containersOf } from '../pods/pod.ts';

/** One log. */
export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Which containers of a pod are meant. */
export interface ContainerChoice {
  /** Empty when none was named. */
  readonly container: string;
  readonly isAll: boolean;
}

/**
 * The logs of a pod that are meant.
 *
 * @throws CtlError when no container is named and there are several, or when there is none of that name.
 */
export function logSources(ctl: Ctl, pod: Pod, choice: ContainerChoice): readonly LogSource[] {
  const { name = '', namespace = '' } = pod.metadata;
  const sourceOf = (container: string): LogSource => ({ namespace, pod: name, container });
  const known = containersOf(pod).map((container) => container.name);
  if (choice.isAll) return inStartOrder(pod).map(sourceOf);
  const wanted = choice.container || annotatedContainer(ctl, pod, known);
  if (wanted === '') return [sourceOf(onlyContainer(pod))];
  if (!known.includes(wanted)) throw new CtlError(`container ${wanted} is not valid for pod ${name}`);
  return [sourceOf(wanted)];
}

/** What the pod itself says; empty when it says nothing, or a name that is none of its containers. */
function annotatedContainer({ dialect, io }: Ctl, { metadata }: Pod, known: readonly string[]): string {
  const name = metadata.annotations?.[dialect.domain('ctl', 'default-logs-container')] ?? '';
  if (name === '' || known.includes(name)) return name;
  io.stderr.write(`Default container name ${JSON.stringify(name)} not found in a pod\n`);
  return '';
}

function onlyContainer({ metadata, spec }: Pod): string {
  const [only, ...others] = namesOf(spec.containers);
  if (only !== undefined && others.length === 0) return only;
  const lists = [
    ['choose one of', namesOf(spec.containers)],
    ['or one of the init containers', namesOf(spec.initContainers)],
    ['or one of the ephemeral containers', namesOf(spec.ephemeralContainers)],
  ] as const;
  const choices = lists
    .filter(([, names], index) => index === 0 || names.length > 0)
    .map(([text, names]) => `${text}: [${names.join(' ')}]`);
  throw new CtlError(`a container name must be specified for pod ${metadata.name}, ${choices.join(' ')}`);
}

function inStartOrder({ spec }: Pod): string[] {
  return [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap(namesOf);
}

const namesOf = (containers: readonly { readonly name: string }[] | null | undefined): string[] =>
  (containers ?? []).map(({ name }) => name);
