/** How many pods each disruption budget lets go. Evictions themselves are the server's: they take from what is written here. */
export { disruptionController } from './disruption-controller.ts';
