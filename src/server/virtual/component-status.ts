import { partialObjectMetadata, toTable } from '../../apis/tables/index.ts';
import type { ComponentStatus } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { otherFailure } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Endpoint, NegotiatedEndpoint } from '../handlers/endpoint.ts';
import { parseSelection } from '../handlers/selection.ts';
import { readIncludeObject } from '../handlers/table.ts';
import { encodeValue } from '../request/encode-value.ts';
import type { Exchange } from '../request/exchange.ts';
import { respond } from '../request/respond.ts';
import type { VirtualHandler } from './review.ts';

/** Health of a component of the control plane. `message` is shown to the client. */
export interface ComponentHealth {
  readonly isHealthy: boolean;
  readonly message: string;
}

/** A part of the control plane. */
export interface Component {
  readonly name: string;
  check(): ComponentHealth | Promise<ComponentHealth>;
}

/** What the usual components are asked. */
export interface ComponentSources {
  /** Resolves when storage answers. */
  readonly pingStorage: () => Promise<void>;
  readonly runsControllers: () => boolean;
  readonly runsScheduler: () => boolean;
}

/** The components that clients expect. Parts that run elsewhere, or not at all, are seen where release 1.20 looks. */
export function standardComponents(sources: ComponentSources): Component[] {
  return [
    { name: 'controller-manager', check: () => healthOf(sources.runsControllers(), 10252) },
    { name: 'scheduler', check: () => healthOf(sources.runsScheduler(), 10251) },
    { name: 'etcd-0', check: () => storageHealth(sources.pingStorage) },
  ];
}

function healthOf(isRunning: boolean, port: number): ComponentHealth {
  if (isRunning) return { isHealthy: true, message: 'ok' };
  const address = `127.0.0.1:${port}`;
  return {
    isHealthy: false,
    message: `Get "http://${address}/healthz": dial tcp ${address}: connect: connection refused`,
  };
}

async function storageHealth(ping: () => Promise<void>): Promise<ComponentHealth> {
  try {
    await ping();
    return { isHealthy: true, message: '{"health":"true"}' };
  } catch (error) {
    return { isHealthy: false, message: errorText(error) };
  }
}

/** GET of `componentstatuses` and of one of them. Nothing is stored: each answer asks the components. */
export function componentStatusHandler(components: readonly Component[]): VirtualHandler {
  return async (exchange, endpoint) => {
    const { name } = exchange.info;
    if (name === '') return writeAll(exchange, endpoint, await checkAll(components, exchange, endpoint));
    const component = components.find((candidate) => candidate.name === name);
    if (component === undefined) throw otherFailure(500, '', `Component not found: ${name}`);
    return write(exchange, endpoint, { items: [await statusOf(component)], isList: false });
  };
}

function writeAll(exchange: Exchange, endpoint: NegotiatedEndpoint, items: readonly ComponentStatus[]): void {
  write(exchange, endpoint, { items, isList: true });
}

async function checkAll(
  components: readonly Component[],
  exchange: Exchange,
  endpoint: NegotiatedEndpoint,
): Promise<ComponentStatus[]> {
  const { labels, fields } = parseSelection(exchange, endpoint);
  const statuses = await Promise.all(components.map(statusOf));
  return statuses.filter(
    ({ metadata }) => labels.matches({}) && fields.matches({ 'metadata.name': metadata.name ?? '' }),
  );
}

async function statusOf(component: Component): Promise<ComponentStatus> {
  const { isHealthy, message } = await component.check();
  const status = isHealthy ? 'True' : 'False';
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name: component.name, creationTimestamp: null },
    conditions: [{ type: 'Healthy', status, message }],
  };
}

interface Shown {
  readonly items: readonly ComponentStatus[];
  readonly isList: boolean;
}

function write(exchange: Exchange, endpoint: NegotiatedEndpoint, shown: Shown): void {
  const { representation } = endpoint;
  const value = present(exchange, endpoint, shown, representation);
  const { protobuf } = endpoint.context;
  const body = encodeValue(exchange, representation, { value, protobuf });
  respond(exchange, { code: 200, contentType: representation.contentType, body });
}

function present(
  exchange: Exchange,
  { printer, context }: Endpoint,
  { items, isList }: Shown,
  { as, asVersion: version }: { readonly as?: string | undefined; readonly asVersion: string },
): object {
  const { metaGroup } = context;
  const objects: readonly ApiObject[] = items;
  if (as === 'Table') {
    const includeObject = readIncludeObject(exchange);
    const nowMs = context.nowMs();
    return toTable({ printer, objects, listMeta: {}, includeObject, metaGroup, version, nowMs });
  }
  if (!isList) {
    const object = objects[0] as ApiObject; // just the one that was asked for
    return as === undefined ? object : partialObjectMetadata(object, { metaGroup, version });
  }
  if (as !== undefined) {
    const partial = objects.map((object) => partialObjectMetadata(object, { metaGroup, version }));
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: `${metaGroup}/${version}`,
      metadata: {},
      items: partial.length === 0 ? null : partial,
    };
  }
  const plain = items.map(({ metadata, conditions }) => ({ metadata, conditions }));
  return { kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: plain };
}
