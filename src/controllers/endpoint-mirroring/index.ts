/** Slices for endpoints that somebody wrote by hand, so that who reads slices sees them too. */
export { endpointMirroringController } from './endpoint-mirroring-controller.ts';
