import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';

/** The first container of a pod, and a notice of how to see the others. */
export function firstContainer(ctl: Ctl, { metadata, spec }: Pod): Container {
  const [first] = spec.containers ?? [];
  if (first === undefined) throw new CtlError(`pod ${metadata.name} has no containers`);
  ctl.io.stderr.write(`Defaulting container name to ${first.name}.
Use 'ctl describe pod/${metadata.name} -n ${metadata.namespace}' to see all of the containers in this pod.
`);
  return first;
}
