import type { Pod } from '../../apis/types/core-v1.ts';

/** Where a pod comes from, as its annotation says it. All but `api` are sources of static pods. */
export type PodSourceName = 'file' | 'http' | 'submitted' | 'api';

/** Takes the whole set of a source, each time that it changed. Pods are shared: never change them. Must not throw. */
export type PodsHandler = (pods: readonly Pod[]) => void;

/** A source that runs until it is disposed of. */
export interface PodSource extends AsyncDisposable {
  /** Resolves once the source was read for the first time, and its pods, if there are any, were handed over. */
  readonly whenRead: Promise<void>;
}
