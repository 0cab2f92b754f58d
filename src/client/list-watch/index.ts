/**
 * Following a collection: list it, watch it from there, resume or list again when the watch ends. It keeps nothing;
 * stores are for others (`informer`).
 */
export { type Backoff, type BackoffOptions, createBackoff } from './backoff.ts';
export { type ListPagesRequest, listPages } from './list-pages.ts';
export {
  type CollectionMediaTypes,
  type ReflectorOptions,
  type ReflectorSink,
  runReflector,
} from './reflector.ts';
