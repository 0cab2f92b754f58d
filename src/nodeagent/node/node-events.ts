import type { Node } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { EventRecorder } from '../events/index.ts';

/** The recorder of events about this node. */
export interface NodeEventsOptions {
  readonly events: EventRecorder;
  readonly nodeName: string;
  readonly dialect: Dialect;
}

/** Events about the node itself, each when something changed. */
export class NodeEvents {
  readonly #options: NodeEventsOptions;
  #isUnschedulable = false;
  #bootId: string | undefined;

  constructor(options: NodeEventsOptions) {
    this.#options = options;
  }

  starting(): void {
    this.#record('Starting', `Starting ${this.#options.dialect.spell('nodeagent')}.`);
  }

  /** Changes of conditions, by the word that events have for them. */
  changed(reasons: readonly string[]): void {
    for (const reason of reasons) this.#recordState(reason);
  }

  /**
   * Whether pods may be scheduled to the node; an event is recorded when that changes; at first pods are assumed to be
   * allowed.
   */
  schedulable({ spec }: Node): void {
    const isUnschedulable = spec.unschedulable === true;
    if (isUnschedulable === this.#isUnschedulable) return;
    this.#isUnschedulable = isUnschedulable;
    this.#recordState(isUnschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
  }

  /** Compares what the node shows with the machine, once for each boot. */
  rebooted({ status }: Node, bootId: string): void {
    const shown = status.nodeInfo?.bootID ?? '';
    if (shown === '' || shown === bootId || this.#bootId === bootId) return;
    this.#bootId = bootId;
    const message = `Node ${this.#options.nodeName} has been rebooted, boot id: ${bootId}`;
    this.#options.events.record({ about: { kind: 'node' }, type: 'Warning', reason: 'Rebooted', message });
  }

  #recordState(reason: string): void {
    this.#record(reason, `Node ${this.#options.nodeName} status is now: ${reason}`);
  }

  #record(reason: string, message: string): void {
    this.#options.events.record({ about: { kind: 'node' }, type: 'Normal', reason, message });
  }
}
