import { isIP } from 'node:net';
import type { UserInfo } from '../../apis/kind-rules.ts';
import type { Event } from '../../apis/types/audit-v1.ts';
import { type AnyRequest, bearerToken, peerCertificateOf } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { AuditRecord, SharedTexts } from './audit-record.ts';
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

/** Longer names of programs are cut. Source: release 1.20. */
const maxUserAgentLength = 1024;
const maxForwardedAddresses = 16;

/**
 * An event as JSON, with the fields in release 1.20's order. Undefined where the release fails to write one: of a patch
 * that is no JSON, the event of its arrival has to do.
 */
export function formatEvent(pending: PendingEvent, context: EventContext): string | undefined {
  const { record, stage, user, atMs } = pending;
  const { info, startedAtMs } = record.exchange;
  const isBegun = stage !== 'RequestReceived';
  if (isBegun && record.hasOtherPatch && !record.choice.omitsStage('RequestReceived')) return undefined;
  const { version, apiVersion } = context;
  let text = `{"kind":"Event","apiVersion":"${apiVersion}",`;
  if (version !== 'v1') text += `"metadata":{"creationTimestamp":"${seconds(atMs)}"},`;
  text += `"level":"${record.level}",`;
  if (version !== 'v1') text += `"timestamp":"${seconds(startedAtMs)}",`;
  record.shared ??= shareTexts(record);
  const { shared } = record;
  text += `"auditID":${shared.id},"stage":"${stage}"${shared.request}`;
  if (user !== record.requester) text += `,"impersonatedUser":${textOfUser(user)}`;
  text += shared.client;
  if (info.isResource) text += member('objectRef', referenceOf(pending, version));
  if (isBegun) text += `${member('responseStatus', statusOf(pending))}${objectsOf(pending, context)}`;
  text += `,"requestReceivedTimestamp":"${microTime(startedAtMs)}","stageTimestamp":"${microTime(atMs)}"`;
  const { truncated } = context;
  const annotations = isBegun ? record.annotations : {};
  text += annotationsText(truncated === undefined ? annotations : { ...annotations, [truncated]: 'true' });
  return `${text}}`;
}

function shareTexts({ exchange, requester, peerAddress }: AuditRecord): SharedTexts {
  const { request, info, auditId } = exchange;
  const uri = JSON.stringify(request.url ?? '');
  const addresses = sourceAddresses(request, peerAddress);
  return {
    id: JSON.stringify(auditId),
    request: `,"requestURI":${uri},"verb":${JSON.stringify(info.verb)},"user":${textOfUser(requester)}`,
    client: member('sourceIPs', addresses) + member('userAgent', userAgentOf(request)),
  };
}

/** Users are few, and make many requests. */
const userTexts = new WeakMap<UserInfo, string>();

function textOfUser(user: UserInfo | undefined): string {
  const known = user && userTexts.get(user);
  if (known !== undefined) return known;
  const text = JSON.stringify(userOf(user));
  if (user !== undefined) userTexts.set(user, text);
  return text;
}

const member = (name: keyof Event, value: unknown): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

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
export function sourceAddresses(
  { headers }: AnyRequest,
  peerAddress: string | undefined,
): string[] | undefined {
  const addresses: string[] = [];
  const forwarded = headers['x-forwarded-for'];
  if (forwarded !== undefined) {
    const parts = String(forwarded).split(',', maxForwardedAddresses);
    addresses.push(...parts.map((text) => text.trim()).filter((text) => isIP(text) !== 0));
  }
  const real = headers['x-real-ip'];
  if (typeof real === 'string' && isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real);
  const peer = peerAddress?.startsWith('::ffff:') === true ? peerAddress.slice(7) : peerAddress;
  if (peer !== undefined && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses.length === 0 ? undefined : addresses;
}

function userAgentOf({ headers }: AnyRequest): string | undefined {
  const agent = headers['user-agent'];
  if (agent === undefined || agent.length <= maxUserAgentLength) return agent;
  return `${agent.slice(0, maxUserAgentLength)}...TRUNCATED`;
}

/** Fields that are empty are left out. */
function referenceOf({ record, stage }: PendingEvent, auditVersion: AuditVersion): object {
  const { group, version, resource, subresource, namespace, name } = record.exchange.info;
  const brought = stage === 'RequestReceived' ? undefined : record.object;
  const isJoined = auditVersion === 'v1alpha1' && group !== '';
  return {
    resource,
    namespace: namespace || brought?.namespace || undefined,
    name: name || brought?.name || undefined,
    uid: brought?.uid || undefined,
    apiGroup: auditVersion === 'v1alpha1' ? undefined : group || undefined,
    apiVersion: isJoined ? `${group}/${version}` : version,
    resourceVersion: brought?.resourceVersion || undefined,
    subresource: subresource || undefined,
  };
}

/** The fields of an error that cannot reveal the contents of objects. Source: release 1.20. */
function statusOf({ record, code, stage }: PendingEvent): object {
  const { status, panic } = record;
  if (stage === 'Panic') {
    const message = `APIServer panic'd: ${panic ?? ''}`;
    return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
  }
  if (code === undefined) {
    return { metadata: {}, status: 'Success', message: 'Connection closed early', code: 200 };
  }
  if (status === undefined) return { metadata: {}, code };
  const message = record.requester === undefined ? describeAttempts(record.exchange) : undefined;
  return { metadata: {}, status: status.status, message, reason: status.reason || undefined, code };
}

/** How the client tried to say who it is, in release 1.20's words. */
function describeAttempts({ request, query }: Exchange): string {
  const attempts = [
    ['basic', /^basic ./i.test(request.headers.authorization ?? '')],
    ['bearer', bearerToken(request) !== undefined],
    ['access_token', (query.get('access_token') ?? '').trim() !== ''],
    ['x509', peerCertificateOf(request) !== undefined],
  ].flatMap(([name, isTried]) => (isTried ? [name] : []));
  if (attempts.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${attempts.join(', ')}`;
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

function annotationsText(annotations: Readonly<Record<string, string>>): string {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return '';
  const members = keys.sort().map((key) => `${JSON.stringify(key)}:${JSON.stringify(annotations[key])}`);
  return `,"annotations":{${members.join(',')}}`;
}

let lastSecond = { second: 0, text: '' };

/** Nearly all events are of the same second as the one before. */
function microTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond.second) {
    lastSecond = { second, text: new Date(second * 1000).toISOString().slice(0, -4) };
  }
  return `${lastSecond.text}${String(Math.floor(ms) - second * 1000).padStart(3, '0')}000Z`;
}

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');
