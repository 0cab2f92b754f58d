import type { Pod, Service } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { labelSelectorFromSet } from '../../machinery/selectors/index.ts';
import type { SharedInformers } from '../shared-informers.ts';
import { isPodReady } from '../workloads/pod-state.ts';

/** Tells of each service whose endpoints may be others than before: it changed itself, or one of the pods that it selects. */
export function followSelected(
  informers: Pick<SharedInformers, 'services' | 'pods'>,
  onChange: (service: Service) => void,
): void {
  informers.services().listen({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
  const tellServicesOf = (pod: Pod): void => {
    for (const service of informers.services().listIn(pod.metadata.namespace ?? '')) {
      if (isSelected(service, pod)) onChange(service);
    }
  };
  informers.pods().listen({
    onAdd: tellServicesOf,
    onUpdate: (pod, previous) => {
      if (!hasChanged(pod, previous)) return;
      tellServicesOf(pod);
      if (!deepEqual(pod.metadata.labels, previous.metadata.labels)) tellServicesOf(previous);
    },
    onDelete: tellServicesOf,
  });
}

export function isSelected({ spec }: Service, { metadata }: Pod): boolean {
  // What stands for no selector selects nothing; an empty one everything.
  return spec.selector != null && labelSelectorFromSet(spec.selector).matches(metadata.labels);
}

/** Whether a pod may be another endpoint than before. */
function hasChanged(pod: Pod, previous: Pod): boolean {
  const seenOf = ({ metadata, spec, status }: Pod) => [
    ...[metadata.labels, metadata.deletionTimestamp, metadata.uid],
    ...[spec.nodeName, spec.hostname, spec.subdomain],
    ...[status.podIP, status.phase],
  ];
  return isPodReady(pod) !== isPodReady(previous) || !deepEqual(seenOf(pod), seenOf(previous));
}
