/** The addresses of the pods behind services, in slices. Slices of services without a selector are somebody else's. */
export { decideSlices, portsText, type SliceState, sliceLabels } from './decide.ts';
export { endpointSlicesController } from './endpoint-slices-controller.ts';
export { type FollowedSlices, followSlices, serviceKeyOf } from './follow-slices.ts';
export { recycleSlices } from './recycle.ts';
export { type SlicePlan, SliceWrites } from './slice-writes.ts';
