/** A warning about a pod. */
export interface VolumeEvent {
  readonly reason: 'FailedMount' | 'FailedMapVolume' | 'FailedAttachVolume';
  readonly message: string;
}

/** Something that operators should see beside a pod; volumes are ready or not all the same. */
export interface VolumeNotice {
  readonly type: 'Normal' | 'Warning';
  readonly reason:
    | 'SuccessfulMountVolume'
    | 'VolumeResizeFailed'
    | 'FileSystemResizeFailed'
    | 'FileSystemResizeSuccessful';
  readonly message: string;
}

/** Volumes of a pod are not ready. Its containers cannot be made; another attempt may help. */
export class VolumeError extends Error {
  override readonly name = 'VolumeError';
  /** Events to record for the pod now; none when they were recorded already and nothing has changed since. */
  readonly events: readonly VolumeEvent[];
  /** Milliseconds after which to try again, unless an object that the pod refers to changes before. */
  readonly retryAfterMs: number;

  constructor(message: string, o: { events: readonly VolumeEvent[]; retryAfterMs: number; cause?: unknown }) {
    super(message, { cause: o.cause });
    this.events = o.events;
    this.retryAfterMs = o.retryAfterMs;
  }
}
