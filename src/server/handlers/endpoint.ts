import type { Deprecation, ServedResource, ServedSubresource } from '../../apis/resources/index.ts';
import type { TablePrinter } from '../../apis/tables/index.ts';
import type { ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import type { SelectableFields } from '../../machinery/selectors/index.ts';
import type { PatchFormat, ServedKind, Stores } from '../../registry/index.ts';
import type { Authorizer } from '../authorization/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Negotiator, Representation } from '../request/negotiate.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { PiecePool } from '../streaming/piece-pool.ts';
import type { WatchDelivery } from '../streaming/watch-delivery.ts';
import type { ProtobufFrames } from './protobuf-frames.ts';

/** Called for a request to a deprecated API, before it is answered. */
export type NoteDeprecated = (exchange: Exchange, deprecation: Deprecation) => void;

/** What the body of a PATCH may be. */
export type PatchBodyFormat = PatchFormat | 'apply';

/** What every handler of resources needs beside the endpoint. */
export interface HandlerContext {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** As `Stores` has it. */
  readonly admission: Stores['admission'];
  /** As `Stores` has it. */
  readonly virtualForms: Stores['virtualForms'];
  /** As `Stores` has it. */
  readonly decodeBody: Stores['decodeBody'];
  readonly negotiator: Negotiator;
  readonly protobuf: ProtobufCompiler;
  readonly protobufFrames: ProtobufFrames;
  /** What large lists are sent in. */
  readonly piecePool: PiecePool;
  /** Whether large answers are compressed for clients that take that. */
  readonly compresses: boolean;
  readonly nowMs: () => number;
  /** As `Stores` has it. */
  readonly fieldManager: Stores['fieldManager'];
  /** Asked again when a request does more than its verb says, such as an update that creates. */
  readonly authorizer: Authorizer;
  /** Group of options and table kinds. */
  readonly metaGroup: string;
  /** Shortest time that a watch without `timeoutSeconds` lasts; each lasts up to twice as long. */
  readonly minRequestTimeoutMs: number;
  readonly random: () => number;
  /** Objects that one deletion of a collection deletes at the same time. */
  readonly deleteCollectionWorkers: number;
  /** What all watches share to send their frames. */
  readonly watchDelivery: WatchDelivery;
  /** Told of each request that reaches a deprecated API. */
  readonly noteDeprecated: NoteDeprecated;
  /** Whether answers carry `Warning` headers. */
  readonly sendsWarnings: boolean;
}

/** One resource of one served version, ready to answer. */
export interface Endpoint {
  readonly info: ServedResource;
  /** Undefined for resources that store nothing. */
  readonly served: ServedKind | undefined;
  readonly printer: TablePrinter;
  /** Whether its kind can be written in Protobuf. */
  readonly hasProtobuf: boolean;
  readonly context: HandlerContext;
  /** Field labels that selectors may use. */
  readonly selectableFields: SelectableFields;
}

/** Formats of the answer and the body, negotiated once, before its handler runs. */
export interface Negotiated {
  /** How the answer is to be written; plain JSON for connections, whose answers have forms of their own. */
  readonly representation: Representation;
  /** What the body is; undefined for other requests than PATCH. */
  readonly patchFormat: PatchBodyFormat | undefined;
}

/** An endpoint that answers a request. */
export type NegotiatedEndpoint = Endpoint & Negotiated;

/** The same for one whose objects are stored. */
export type StoredEndpoint = NegotiatedEndpoint & { readonly served: ServedKind };

/** Answers one verb of an endpoint. */
export type EndpointHandler = (exchange: Exchange, endpoint: StoredEndpoint) => Promise<void>;

/** Answers a subresource. */
export type SubresourceHandler = (
  exchange: Exchange,
  endpoint: StoredEndpoint,
  subresource: ServedSubresource,
) => Promise<void>;

/** The kind of an endpoint's objects; undefined without one, and when it does not have the subresource that is named. */
export function servedKindOf(
  endpoint: Pick<Endpoint, 'info'> | undefined,
  { subresource }: Pick<RequestInfo, 'subresource'>,
): string | undefined {
  const hasSubresource =
    subresource === '' || endpoint?.info.subresources.some(({ name }) => name === subresource);
  return hasSubresource === true ? endpoint?.info.kind : undefined;
}
