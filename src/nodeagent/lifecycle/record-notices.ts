import type { Pod } from '../../apis/types/core-v1.ts';
import type { ConfigNotice } from '../container-config/index.ts';
import type { EventRecorder } from '../events/index.ts';

/** Records what came up while a configuration was put together. */
export function recordNotices(pod: Pod, notices: readonly ConfigNotice[], events: EventRecorder): void {
  for (const { about, reason, message } of notices) {
    events.record({
      about: about === 'pod' ? { kind: 'pod', pod } : { kind: 'node' },
      type: 'Warning',
      reason,
      message,
    });
  }
}
