/**
 * TLS trust towards a backend. `agent`: our client certificate is presented, and the agent's certificate is verified
 * when there is an authority for that. `agent-unverified`: as `agent`, but nothing is verified. Others get no client
 * certificate, and since pods are reached by address, their certificates cannot be verified.
 */
export type Trust = 'agent' | 'agent-unverified' | 'anyone';

/** Where a request goes on to. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The address behind `host` when it was looked up already; otherwise it is looked up when connecting. */
  readonly address?: string;
  readonly trust: Trust;
}
