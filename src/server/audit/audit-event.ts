import type { UserInfo } from '../../apis/kind-rules.ts';
import { canonicalBase64 } from '../../machinery/go-values/index.ts';
import { peerCertificateOf } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { AuditRecord } from './audit-record.ts';
import { microTime, type Quote, quoteOften, textOfUser, textsOfRequest } from './event-texts.ts';
import type { AuditStage } from './policy.ts';

/** An event that was noted but not written yet. */
export interface PendingEvent {
  readonly record: AuditRecord;
  readonly stage: AuditStage;
  /** HTTP code of the answer; undefined before there is one, and when none was sent. */
  readonly code: number | undefined;
  /** Unknown when credentials were refused. */
  readonly user: UserInfo | undefined;
  readonly atMs: number;
}

/** Turns the bytes of an answer into the JSON of the object that they say; undefined for what is no object. */
export type ReadRecordedBody = (bytes: Buffer) => string | undefined;

/** Versions of the audit group; the older ones have other names for some fields. */
export const auditVersions = ['v1', 'v1beta1', 'v1alpha1'] as const;
/** One of `auditVersions`. */
export type AuditVersion = (typeof auditVersions)[number];

/** The rest of what an event is made from. */
export interface EventContext {
  readonly version: AuditVersion;
  /** `GROUP/VERSION` of the audit group. */
  readonly apiVersion: string;
  readonly readBody: ReadRecordedBody;
  /** When given, objects are left out, and the annotation of this name says so. */
  readonly truncated?: string | undefined;
}

/**
 * An event as JSON, with the fields in release 1.20's order. Undefined where the release fails to write one: of a patch
 * that is no JSON, the event of its arrival has to do.
 */
export function formatEvent(pending: PendingEvent, context: EventContext): string | undefined {
  const { record, stage, user, atMs } = pending;
  const { info, startedAtMs } = record.exchange;
  const isBegun = stage !== 'RequestReceived';
  if (isBegun && record.hasOtherPatch && !record.choice.omitsStage('RequestReceived')) return undefined;
  const { version, apiVersion, truncated } = context;
  record.texts ??= textsOfRequest(record.exchange, record.requester, record.peerAddress);
  const { id, request, client } = record.texts;
  const isFirst = version === 'v1';
  const metadata = isFirst ? '' : `"metadata":{"creationTimestamp":"${seconds(atMs)}"},`;
  const timestamp = isFirst ? '' : `"timestamp":"${seconds(startedAtMs)}",`;
  const impersonated = user === record.requester ? '' : `,"impersonatedUser":${textOfUser(user)}`;
  const reference = info.isResource ? referenceOf(pending, record.texts.quote, version) : '';
  const result = isBegun ? statusOf(pending) + objectsOf(pending, context) : '';
  const head = `{"kind":"Event","apiVersion":"${apiVersion}",${metadata}"level":"${record.level}",${timestamp}`;
  const what = `"auditID":${id},"stage":"${stage}"${request}${impersonated}${client}${reference}${result}`;
  const times = `,"requestReceivedTimestamp":"${microTime(startedAtMs)}","stageTimestamp":"${microTime(atMs)}"`;
  return `${head}${what}${times}${annotationsOf(pending, truncated)}}`;
}

/** Fields that are empty are left out. */
function referenceOf({ record, stage }: PendingEvent, quote: Quote, auditVersion: AuditVersion): string {
  const { group, version, resource, subresource, namespace, name } = record.exchange.info;
  const brought = stage === 'RequestReceived' ? undefined : record.object;
  const isJoined = auditVersion === 'v1alpha1' && group !== '';
  let text = `,"objectRef":{"resource":${quote(resource)}`;
  if (namespace !== '') text += `,"namespace":${quote(namespace)}`;
  else if (brought?.namespace) text += `,"namespace":${JSON.stringify(brought.namespace)}`;
  if (name !== '') text += `,"name":${quote(name)}`;
  else if (brought?.name) text += `,"name":${JSON.stringify(brought.name)}`;
  if (brought?.uid) text += `,"uid":${JSON.stringify(brought.uid)}`;
  if (group !== '' && !isJoined) text += `,"apiGroup":${quote(group)}`;
  text += `,"apiVersion":${quote(isJoined ? `${group}/${version}` : version)}`;
  if (brought?.resourceVersion) text += `,"resourceVersion":${JSON.stringify(brought.resourceVersion)}`;
  if (subresource !== '') text += `,"subresource":${quote(subresource)}`;
  return `${text}}`;
}

/** The fields of an error that cannot reveal the contents of objects. Source: release 1.20. */
function statusOf({ record, code, stage }: PendingEvent): string {
  const { status, panic } = record;
  if (stage === 'Panic') {
    const message = JSON.stringify(`APIServer panic'd: ${panic ?? ''}`);
    return `,"responseStatus":{"metadata":{},"status":"Failure","message":${message},"reason":"InternalError","code":500}`;
  }
  if (code === undefined) {
    return ',"responseStatus":{"metadata":{},"status":"Success","message":"Connection closed early","code":200}';
  }
  if (status === undefined) return `,"responseStatus":{"metadata":{},"code":${code}}`;
  const message = record.requester === undefined ? describeAttempts(record.exchange) : undefined;
  const shown = { metadata: {}, status: status.status, message, reason: status.reason || undefined, code };
  return `,"responseStatus":${JSON.stringify(shown)}`;
}

/** How the client tried to say who it is, in release 1.20's words. */
function describeAttempts({ request, query }: Exchange): string {
  const { authorization = '' } = request.headers;
  const attempts = [
    ['basic', isBasic(authorization)],
    ['bearer', /^bearer ./i.test(authorization.trim())],
    ['access_token', (query.get('access_token') ?? '').trim() !== ''],
    ['x509', peerCertificateOf(request) !== undefined],
  ].flatMap(([name, isTried]) => (isTried ? [name] : []));
  if (attempts.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${attempts.join(', ')}`;
}

/** Whether a header has a name and a password (RFC 7617). */
function isBasic(authorization: string): boolean {
  const [, encoded = ''] = /^basic (.*)$/i.exec(authorization) ?? [];
  return Buffer.from(canonicalBase64(encoded) ?? '', 'base64').includes(':');
}

function objectsOf({ record, code = 0 }: PendingEvent, { readBody, truncated }: EventContext): string {
  if (truncated !== undefined) return '';
  const { requestObject, responseBody, status } = record;
  const brought = requestObject === undefined ? '' : `,"requestObject":${requestObject}`;
  // What was written past the negotiation is not seen.
  if (responseBody === undefined || (code >= 400 && status === undefined)) return brought;
  const answered = readBody(responseBody);
  return answered === undefined ? brought : `${brought},"responseObject":${answered}`;
}

function annotationsOf({ record, stage }: PendingEvent, truncated: string | undefined): string {
  const { annotations } = record;
  if (stage === 'RequestReceived') {
    return truncated === undefined ? '' : `,"annotations":{${quoteOften(truncated)}:"true"}`;
  }
  return (truncated === undefined ? annotations : annotations.with(truncated, 'true')).format();
}

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');
