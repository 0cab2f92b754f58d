/** Why a container cannot be started, as its status shows it. */
export type ImageFailureReason =
  | 'ErrImagePull'
  | 'ErrImageNeverPull'
  | 'ImageInspectError'
  | 'ImagePullBackOff'
  | 'InvalidImageName';

/** A container whose image is not available; `message` is the one of its status, worded as release 1.20 does. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly reason: ImageFailureReason;

  constructor(reason: ImageFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
