import type { DriverAnswer, DriverCapabilities } from './driver-answer.ts';

/** What drivers are asked to do (those of release 1.20's call-outs, release 1.20, that fall to nodes, but for resizing). */
export type DriverCommand =
  | 'init'
  | 'getvolumename'
  | 'attach'
  | 'waitforattach'
  | 'mountdevice'
  | 'mount'
  | 'unmount'
  | 'unmountdevice'
  | 'detach';

/** A program that knows how to mount one kind of volume. */
export interface VolumeDriver {
  /** Such as `vendor/driver`. */
  readonly name: string;
  readonly capabilities: DriverCapabilities;
  /**
   * Runs the driver; undefined when it does not have the command, which it is not asked for again then.
   *
   * @throws DriverError with a message that is bounded and has none of `secrets` in it
   */
  call(
    command: DriverCommand,
    args: readonly string[],
    secrets?: readonly string[],
  ): Promise<DriverAnswer | undefined>;
}

/** Drivers by their names, as they are at the moment of the question. */
export interface VolumeDrivers {
  /** Undefined: there is none, or it cannot be used, which the log says then. */
  find(name: string): Promise<VolumeDriver | undefined>;
}
