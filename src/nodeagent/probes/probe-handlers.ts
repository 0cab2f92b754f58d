import type { Container, Handler } from '../../apis/types/core-v1.ts';

/** What a handler is run against. */
export interface HandlerTarget {
  readonly containerId: string;
  /** Its ports may be named by the handler, and its environment is looked up by the handler's command. */
  readonly container: Container;
  /** First address of the pod, for handlers that name no host; that of the node when it shares the node's network. */
  readonly podIp: string | undefined;
  readonly timeoutMs: number;
  /** Aborts the attempt; the promise then resolves with `unknown`. */
  readonly signal?: AbortSignal | undefined;
}

/** How a handler went. */
export interface HandlerResult {
  /**
   * - `success`, `failure`: the container's own answer.
   * - `warning`: a success that operators should look at, such as a redirect to another host.
   * - `unknown`: the handler could not be run; says nothing about the container.
   */
  readonly outcome: 'success' | 'warning' | 'failure' | 'unknown';
  /** At most 10 KiB: what the container said, or why the handler failed, in release 1.20's words. */
  readonly output: string;
}

/** Runs commands, HTTP requests and TCP connections against containers. Never rejects. */
export interface ProbeHandlers {
  run(handler: Handler, target: HandlerTarget): Promise<HandlerResult>;
}
