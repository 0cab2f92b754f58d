import { createEventRecorder } from '../events/index.ts';
import type { DynamicConfigOptions } from './dynamic-config.ts';
import { restartReason } from './restart-message.ts';

/** A server that does not answer keeps no agent from its configuration. */
const patienceMs = 5000;

/**
 * Records the event of a restart and waits until it is written. It has a recorder of its own: in that of the agent it
 * would stand behind others, and the process ends.
 */
export async function announceRestart(
  message: string,
  {
    client,
    nodeName,
    dialect,
    clock,
    logger,
  }: Pick<DynamicConfigOptions, 'client' | 'nodeName' | 'dialect' | 'clock' | 'logger'>,
): Promise<void> {
  const late = new AbortController();
  const cancel = clock.setTimer(patienceMs, () => late.abort());
  const config = { eventQps: 0, eventBurst: 1 };
  const { signal } = late;
  const events = createEventRecorder({ client, config, nodeName, dialect, clock, logger, signal });
  events.record({ about: { kind: 'node' }, type: 'Normal', reason: restartReason(dialect), message });
  await events.whenIdle();
  cancel();
}
