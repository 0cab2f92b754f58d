import type { Duplex } from 'node:stream';
import type { WebhookClient } from '../../apis/index.ts';
import { type DialTarget, dialTargetOf } from '../../net/dial/index.ts';
import type { Callee } from './callee-agents.ts';

/** How a server reaches a webhook, as configurations and definitions have it. */
export interface WebhookClientConfig extends WebhookClient {
  /** PEM certificates of the authorities that sign the webhook's, in base64; those of the machine when empty. */
  readonly caBundle?: string | undefined;
  /** What files of the server's operator say beside. */
  readonly more?: OperatorSettings | undefined;
}

/** How the server makes itself known to a webhook, and whom it takes for the webhook. */
export interface OperatorSettings extends Pick<Callee, 'clientPair' | 'isUnverified'> {
  /** Value of the header of that name. */
  readonly authorization?: string | undefined;
  /** Name that the webhook's certificate must carry, when it is not the host's. */
  readonly serverName?: string;
}

/** Finds where a service takes its connections. @throws Error in release 1.20's words when it takes none. */
export type ResolveService = (service: {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}) => DialTarget;

/** This server, as it calls itself when a webhook is behind its own service. */
export interface OwnServer {
  readonly namespace: string;
  /** Of the service, whose port is 443. */
  readonly name: string;
  /** Opens a connection within this process. */
  connect(): Duplex;
  /** Header of that name, which says that it is the server itself. */
  readonly authorization: string;
}

/** Where services lead. */
export interface ServiceWays {
  readonly resolveService: ResolveService;
  readonly own?: OwnServer | undefined;
}

/** A webhook as it is dialled; its `authority` is as the configuration writes it. */
export interface WebhookTarget extends Callee {
  readonly path: string;
  /** Header of that name. */
  readonly authorization?: string | undefined;
}

const defaultPort = 443;

/** Where a client configuration leads. Validation has let pass only URLs and services that can be called. */
export function webhookTarget(
  client: WebhookClientConfig,
  { resolveService, own }: ServiceWays,
): WebhookTarget {
  const authorities =
    client.caBundle === undefined || client.caBundle === ''
      ? undefined
      : Buffer.from(client.caBundle, 'base64').toString('latin1');
  const { service } = client;
  if (service !== undefined) {
    const { namespace, name, port = defaultPort, path = '' } = service;
    const host = `${name}.${namespace}.svc`;
    return {
      path: path.startsWith('/') ? path : `/${path}`,
      authority: `${host}:${port}`,
      serverName: host,
      host,
      port,
      authorities,
      locate: () => resolveService({ namespace, name, port }),
      // What files say of others does not hold for the server itself.
      ...(own !== undefined && isOwn(own, { namespace, name, port })
        ? { connect: () => own.connect(), authorization: own.authorization }
        : client.more),
    };
  }
  const url = new URL(client.url ?? '');
  const { host, port } = dialTargetOf(url);
  return {
    path: url.pathname,
    authority: url.host,
    serverName: host,
    host,
    port,
    authorities,
    locate: undefined,
    isPlain: url.protocol === 'http:',
    ...client.more,
  };
}

const isOwn = (own: OwnServer, { namespace, name, port }: Parameters<ResolveService>[0]): boolean =>
  namespace === own.namespace && name === own.name && port === defaultPort;
