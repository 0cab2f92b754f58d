/**
 * The client side of the API for everything that speaks to a server: configuration, requests, discovery, list and
 * watch, informers, work queues. Programs whose start-up time counts import the folders that they need instead.
 */
export * from './config/index.ts';
export * from './discovery/index.ts';
export * from './informer/index.ts';
export * from './list-watch/index.ts';
export * from './rest/index.ts';
export * from './work-queue/index.ts';
