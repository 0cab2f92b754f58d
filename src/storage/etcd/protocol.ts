import protobuf from 'protobufjs/light.js';
import descriptor from './protocol.json' with { type: 'json' };

/** A 64-bit number as the decoder gives it: revisions stay far below 2^53, lease ids are only passed back. */
export type Int64 = number | { toNumber(): number };

export interface Header {
  readonly revision: Int64;
}

export interface KeyValue {
  readonly key: string;
  readonly modRevision: Int64;
  /** Writes since the key was created. */
  readonly version: Int64;
  /** Part of the message that it came in. */
  readonly value: Buffer;
}

export interface RangeCall {
  readonly key: string;
  /** Exclusive; one key only when left out. */
  readonly rangeEnd?: string;
  readonly limit?: number;
  readonly revision?: number;
  readonly countOnly?: boolean;
}

export interface RangeAnswer {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: Int64;
}

export interface PutCall {
  readonly key: string;
  readonly value: Buffer;
  readonly lease?: Int64;
}

export interface PutAnswer {
  readonly header: Header;
}

export interface Operation {
  readonly range?: RangeCall;
  readonly put?: PutCall;
  readonly deleteRange?: { readonly key: string; readonly prevKv: boolean };
}

export interface Comparison {
  readonly target: number;
  readonly key: string;
  readonly version?: number;
  readonly modRevision?: number;
}

export interface TxnCall {
  readonly compare: readonly Comparison[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export interface TxnAnswer {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly {
    readonly range?: RangeAnswer | null;
    readonly deleteRange?: { readonly prevKvs: readonly KeyValue[] } | null;
  }[];
}

export interface LeaseAnswer {
  readonly id: Int64;
  /** May be longer than what was asked for. */
  readonly ttlSeconds: Int64;
}

export interface StatusAnswer {
  readonly version: string;
  readonly dbSize: Int64;
}

export interface WatchCall {
  readonly createRequest: {
    readonly key: string;
    readonly rangeEnd: string;
    readonly startRevision: number;
    readonly prevKv: boolean;
    readonly fragment: boolean;
  };
}

export interface WatchedChange {
  readonly type: number;
  readonly kv: KeyValue;
  readonly prevKv?: KeyValue | null;
}

export interface WatchAnswer {
  readonly canceled: boolean;
  readonly compactRevision: Int64;
  readonly cancelReason: string;
  /** More of the same answer follows. */
  readonly fragment: boolean;
  readonly events: readonly WatchedChange[];
}

/** One call of the interface, with its wire format. */
export interface Method<Call, Answer> {
  readonly path: string;
  readonly encode: (call: Call) => Buffer;
  readonly decode: (bytes: Buffer) => Answer;
}

/** `Compare.CompareTarget` of etcd's `rpc.proto`. */
export const compareTarget = { version: 0, modRevision: 2 } as const;
/** `Event.EventType` of etcd's `kv.proto`. */
export const deleteEvent = 1;

const root = protobuf.Root.fromJSON(descriptor);

/** The calls that the driver makes. Field numbers are those of etcd's `rpc.proto`, version 3.4. */
export const methods = {
  range: define<RangeCall, RangeAnswer>('KV/Range', 'RangeRequest', 'RangeResponse'),
  put: define<PutCall, PutAnswer>('KV/Put', 'PutRequest', 'PutResponse'),
  txn: define<TxnCall, TxnAnswer>('KV/Txn', 'TxnRequest', 'TxnResponse'),
  compact: define<{ readonly revision: number }, object>(
    'KV/Compact',
    'CompactionRequest',
    'CompactionResponse',
  ),
  grantLease: define<{ readonly ttlSeconds: number }, LeaseAnswer>(
    'Lease/LeaseGrant',
    'LeaseGrantRequest',
    'LeaseGrantResponse',
  ),
  status: define<object, StatusAnswer>('Maintenance/Status', 'StatusRequest', 'StatusResponse'),
  watch: define<WatchCall, WatchAnswer>('Watch/Watch', 'WatchRequest', 'WatchResponse'),
} as const;

/** The number that a 64-bit field holds. */
export function toNumber(value: Int64): number {
  return typeof value === 'number' ? value : value.toNumber();
}

function define<Call extends object, Answer>(
  name: string,
  callName: string,
  answerName: string,
): Method<Call, Answer> {
  const [callType, answerType] = [root.lookupType(callName), root.lookupType(answerName)];
  return {
    path: `/etcdserverpb.${name}`,
    // Both hold by protocol.json: the encoder takes plain objects and writes into a Buffer on this platform,
    // and the decoder makes objects with these fields, defaults included.
    encode: (call) => callType.encode(call).finish() as Buffer,
    decode: (bytes) => answerType.decode(bytes) as unknown as Answer,
  };
}
