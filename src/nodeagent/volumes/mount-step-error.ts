/** A step of mounting a volume failed; the event about it names the step. */
export class MountStepError extends Error {
  override readonly name = 'MountStepError';
  /** As release 1.20 calls it, such as `MountVolume.MountDevice`. */
  readonly step: string;
  readonly reason: 'FailedMount' | 'FailedAttachVolume';

  constructor(step: string, message: string, o: { reason?: MountStepError['reason']; cause?: unknown } = {}) {
    super(message, { cause: o.cause });
    this.step = step;
    this.reason = o.reason ?? 'FailedMount';
  }
}
