import type { EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { sliceLabels } from './decide.ts';
import type { SliceWrites } from './slice-writes.ts';

/** Whose slices are followed, and who is told. */
export interface FollowedSlices {
  readonly labels: ReturnType<typeof sliceLabels>;
  /** The name that the slices bear of their controller. */
  readonly manager: string;
  readonly writes: SliceWrites;
  readonly queue: WorkQueue<string>;
}

/** The service whose addresses a slice holds, as `namespace/name`; undefined for slices of other controllers. */
export function serviceKeyOf(
  { metadata }: EndpointSlice,
  { labels, manager }: Pick<FollowedSlices, 'labels' | 'manager'>,
): string | undefined {
  const name = metadata.labels?.[labels.serviceName];
  return metadata.labels?.[labels.managedBy] === manager && name
    ? `${metadata.namespace}/${name}`
    : undefined;
}

/** Queues the service of each slice that one controller writes, and notes which of its creations have been seen. */
export function followSlices(
  { informers }: Pick<ControllerContext, 'informers'>,
  followed: FollowedSlices,
): void {
  const { writes, queue } = followed;
  const add = (slice: EndpointSlice): void => {
    const key = serviceKeyOf(slice, followed);
    if (key !== undefined) queue.add(key);
  };
  informers.endpointSlices().listen({
    onAdd: (slice) => {
      const key = serviceKeyOf(slice, followed);
      if (key !== undefined) writes.creationSeen(key);
      add(slice);
    },
    onUpdate: add,
    onDelete: add,
  });
}
