/** Tells agents how long they may use what they have cached: the longer, the larger the cluster. It caches nothing itself. */
export { CacheTime, decideAnnotation } from './decide.ts';
export { nodeTtlController } from './node-ttl-controller.ts';
