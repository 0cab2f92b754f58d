/**
 * The state of a store in memory: what `registry` lists and watches. It works over any driver, loads everything
 * once and follows one watch of the store; it never writes.
 */
export type { CachedObject, DecodeValue, SelectableFields, StringMap } from './cached-object.ts';
export type { ObjectPredicate, WatchEvent } from './change.ts';
export { defaultEventWindow, type EventWindowLimits } from './event-window.ts';
export type { FieldLayout, FieldLocation, FieldValue, RequiredValue } from './field-layout.ts';
export type { ResourceCache } from './resource-cache.ts';
export type { ListPage, ListRequest } from './resource-lists.ts';
export type { WaitOptions } from './revision-waiters.ts';
export { defaultSnapshotLimits, type SnapshotLimits } from './snapshot-budget.ts';
export { openWatchCache, type WatchCache, type WatchCacheOptions } from './watch-cache.ts';
export type { CacheWatch, CacheWatchRequest, CacheWatchSink } from './watcher.ts';
