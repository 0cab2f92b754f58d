/** What the event about a failed step is, if there is one. */
export interface MountStepErrorOptions extends ErrorOptions {
  readonly reason?: MountStepError['reason'];
  readonly isQuiet?: boolean;
}

/** A step of mounting a volume failed; the event about it names the step. */
export class MountStepError extends Error {
  override readonly name = 'MountStepError';
  /** As release 1.20 calls it, such as `MountVolume.MountDevice`. */
  readonly step: string;
  readonly reason: 'FailedMount' | 'FailedMapVolume' | 'FailedAttachVolume';
  /** Something is awaited that others do: only the pod's summary tells of it, when it takes long. */
  readonly isQuiet: boolean;

  constructor(step: string, message: string, o: MountStepErrorOptions = {}) {
    super(message, { cause: o.cause });
    this.step = step;
    this.reason = o.reason ?? 'FailedMount';
    this.isQuiet = o.isQuiet ?? false;
  }
}
