/**
 * Groups that other servers serve: whether the service that an APIService names could be called, told in its condition.
 * Nothing is called yet, and nothing is proxied.
 */

export { type Backend, decideAvailability } from './decide-availability.ts';
export {
  type AvailabilityStores,
  type KeepAvailabilityOptions,
  keepAvailability,
} from './keep-availability.ts';
