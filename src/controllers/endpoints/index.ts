/** The addresses of the pods behind services. Endpoints of services without a selector are left alone. */
export { decideEndpoints, endpointNames, headlessLabelsOf, mayBecomeReady, portIn } from './decide.ts';
export { endpointsController } from './endpoints-controller.ts';
export { followSelected, isSelected } from './follow-selected.ts';
export { TriggerTimes } from './trigger-times.ts';
