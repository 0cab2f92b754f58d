/** A warning event that comes of putting a configuration together, with the texts of release 1.20. */
export interface ConfigNotice {
  /** Object that the event is about. */
  readonly about: 'pod' | 'node';
  readonly reason: string;
  readonly message: string;
}
