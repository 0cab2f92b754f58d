import { TransportError } from '../rest/index.ts';

/** The server, or whoever it asked, did not change the protocol of the connection and sent no Status. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
  /** What it answered instead, if that is text. */
  readonly detail: string;

  /** Its status; undefined when the answer broke off. */
  readonly status: number | undefined;

  constructor(detail: string, status?: number) {
    super(`unable to upgrade connection: ${detail}`);
    this.detail = detail;
    this.status = status;
  }
}

/** The server changed the protocol of the connection, but to another version than was offered. */
export class ForeignProtocolError extends TransportError {
  readonly offered: string;
  /** Empty when the server named none. */
  readonly chosen: string;

  constructor(protocols: { readonly offered: string; readonly chosen: string }, host: string) {
    const { offered, chosen } = protocols;
    const answer = chosen === '' ? 'the server named no protocol' : `the server speaks ${chosen}`;
    super('protocol', `${answer}, this client ${offered}`, { host });
    this.offered = offered;
    this.chosen = chosen;
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
