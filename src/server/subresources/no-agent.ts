import { otherFailure, type StatusError } from '../../machinery/errors/index.ts';

/** 501: what is asked for lies with the agent of a node, which this server does not reach. */
export function noWayToAgent(what: string): StatusError {
  return otherFailure(
    501,
    'NotImplemented',
    `${what} is not available: this server does not connect to node agents`,
    {},
  );
}
