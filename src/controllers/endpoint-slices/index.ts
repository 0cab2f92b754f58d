/** The addresses of the pods behind services, in slices. Slices of services without a selector are somebody else's. */
export { decideSlices, type SlicePlan, type SliceState } from './decide.ts';
export { endpointSlicesController } from './endpoint-slices-controller.ts';
