/** The addresses of the pods behind services. Endpoints of services without a selector are left alone. */
export { decideEndpoints, endpointNames } from './decide.ts';
export { endpointsController } from './endpoints-controller.ts';
