import { isIP } from 'node:net';
import type { UserInfo } from '../../apis/kind-rules.ts';
import type { Event, ObjectReference } from '../../apis/types/audit-v1.ts';
import type { AnyRequest } from '../../net/http/index.ts';

import type { AuditRecord } from './audit-record.ts';
import type { AuditStage } from './policy.ts';

/** An event that was noted but not written yet. */
export interface PendingEvent {
  readonly record: AuditRecord;
  readonly stage: AuditStage;
  /** HTTP code of the answer; undefined before there is one. */
  readonly code: number | undefined;
  /** Unknown when credentials were refused. */
  readonly user: UserInfo | undefined;
  readonly atMs: number;
}

/** Turns the bytes of a body into the object that they say; undefined for what is no object. */
export type ReadRecordedBody = (bytes: Buffer) => unknown;

/** The rest of what an event is made from. */
export interface EventContext {
  /** `GROUP/v1` of the audit group. */
  readonly apiVersion: string;
  readonly readBody: ReadRecordedBody;
}

/** Longer names of programs are cut. Source: release 1.20. */
const maxUserAgentLength = 1024;
const maxForwardedAddresses = 16;

/** One line of the log: an event as JSON, with the fields in release 1.20's order. */
export function formatEvent(pending: PendingEvent, { apiVersion, readBody }: EventContext): string {
  const { record, stage, user, atMs } = pending;
  const { request, info, auditId, startedAtMs } = record.exchange;
  const isBegun = stage !== 'RequestReceived';
  const event: EventFields = {
    kind: 'Event',
    apiVersion,
    level: record.level,
    auditID: auditId,
    stage,
    requestURI: request.url ?? '',
    verb: info.verb,
    user: userOf(record.requester),
    impersonatedUser: user === record.requester ? undefined : userOf(user),
    sourceIPs: sourceAddresses(request, record.peerAddress),
    userAgent: userAgentOf(request),
    objectRef: info.isResource ? referenceOf(pending) : undefined,
    responseStatus: isBegun ? statusOf(pending) : undefined,
    requestObject: objectOf(isBegun ? record.requestBody : undefined, readBody),
    responseObject: objectOf(stage === 'ResponseComplete' ? record.responseBody : undefined, readBody),
    requestReceivedTimestamp: microTime(startedAtMs),
    stageTimestamp: microTime(atMs),
    annotations: isBegun && Object.keys(record.annotations).length > 0 ? record.annotations : undefined,
  };
  return `${JSON.stringify(event)}\n`;
}

/** The type's fields, the objects in it as they are; those that are undefined are not written. */
type EventFields = { readonly [K in keyof Event]: unknown };

function userOf(user: UserInfo | undefined): object {
  if (user === undefined) return {};
  const { name, uid, groups, extra } = user;
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Addresses that the request passed, as it says itself, and the one that it came from. Source: release 1.20. */
function sourceAddresses({ headers }: AnyRequest, peerAddress: string | undefined): string[] | undefined {
  const said = `${headers['x-forwarded-for'] ?? ''},${headers['x-real-ip'] ?? ''}`;
  const forwarded = said.split(',', maxForwardedAddresses).map((text) => text.trim());
  const addresses = forwarded.filter((text) => isIP(text) !== 0);
  const peer = peerAddress?.replace(/^::ffff:(?=\d+\.)/, '');
  if (peer !== undefined && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses.length === 0 ? undefined : addresses;
}

function userAgentOf({ headers }: AnyRequest): string | undefined {
  const agent = headers['user-agent'];
  if (agent === undefined || agent.length <= maxUserAgentLength) return agent;
  return `${agent.slice(0, maxUserAgentLength)}...TRUNCATED`;
}

/** Fields that are empty are left out. */
function referenceOf({ record, stage }: PendingEvent): ObjectReference {
  const { group, version, resource, subresource, namespace, name } = record.exchange.info;
  const brought = stage === 'RequestReceived' ? undefined : record.object;
  return {
    resource,
    namespace: namespace || brought?.namespace || undefined,
    name: name || brought?.name || undefined,
    uid: brought?.uid || undefined,
    apiGroup: group || undefined,
    apiVersion: version,
    subresource: subresource || undefined,
  };
}

/** The fields of an error that cannot reveal the contents of objects. Source: release 1.20. */
function statusOf({ record: { status, failure }, code }: PendingEvent): object {
  if (failure !== undefined) return { metadata: {}, message: failure, code };
  if (status === undefined) return { metadata: {}, code };
  return { metadata: {}, status: status.status, reason: status.reason, code };
}

function objectOf(body: Buffer | undefined, readBody: ReadRecordedBody): unknown {
  return body === undefined ? undefined : readBody(body);
}

const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
