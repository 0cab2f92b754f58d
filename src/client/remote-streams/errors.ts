/** The server, or whoever it asked, did not change the protocol of the connection and sent no Status. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';

  /** @param detail what it answered instead, if that is text */
  constructor(detail: string) {
    super(`unable to upgrade connection: ${detail}`);
  }
}

/** A remote command that ran, and did not end with 0. */
export class RemoteExitError extends Error {
  override readonly name = 'RemoteExitError';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`command terminated with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** The connection ended before anybody said how the remote side did. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError';
}
