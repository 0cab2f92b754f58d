import { asJsonObject, asText } from '../../base/index.ts';
import { asRecords, type Fields } from '../describe/report.ts';
import { timeMs } from '../pods/pod.ts';
import { formatAge } from '../printers/human-duration.ts';
import type { WireObject } from '../resource/api-object.ts';

/** What is known of an object and of what it depends on. Values of secrets are never among it. */
export interface Facts {
  readonly object: WireObject;
  /** Plural and group of the object in the spelling of the code: `deployments.apps`, `pods.`. */
  readonly type: string;
  /** Objects of built-in types that may have to do with it: pods, replica sets, claims, budgets, nodes. */
  readonly related: readonly WireObject[];
  /** Events of its namespace, or about it where it is in none. */
  readonly events: readonly Fields[];
  /** Types that could not be read, and why. */
  readonly unread: readonly { readonly type: string; readonly message: string }[];
  readonly nowMs: number;
}

/** One reason why something is not as it should be. */
export interface Finding {
  /** A cause comes before what follows from it; a note does not keep the object from being well. */
  readonly level: 'cause' | 'effect' | 'note';
  /** The object that it is about: `pod/web-1`. */
  readonly about: string;
  /** A word for programs: `ImagePullBackOff`. */
  readonly reason: string;
  /** A sentence about the object, which is not named in it. */
  readonly message: string;
  /** Where that is written: a field, a condition or an event with its age. */
  readonly fact: string;
  /** A command to type next. */
  readonly next?: string;
  /** Other objects with the same trouble. */
  readonly also?: readonly string[];
}

const levels = ['cause', 'effect', 'note'];

/** Causes first; what several objects have in common is told once. */
export function arrangeFindings(findings: readonly Finding[]): readonly Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const key = [finding.about.split('/')[0], finding.level, finding.reason, finding.message].join('\n');
    const first = merged.get(key);
    if (first === undefined) merged.set(key, finding);
    else if (first.about !== finding.about && !first.also?.includes(finding.about))
      merged.set(key, { ...first, also: [...(first.also ?? []), finding.about] });
  }
  return [...merged.values()].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
}

/** `pod/web`: an object as it is typed. */
export const nameOf = ({ kind, metadata }: WireObject): string => `${kind.toLowerCase()}/${metadata.name}`;

/** ` -n NAMESPACE` of an object, for commands; empty where it has none. */
export const inNamespace = ({ metadata }: WireObject): string =>
  asText(metadata.namespace) === '' ? '' : ` -n ${metadata.namespace}`;

/** The conditions of an object. */
export const conditionsOf = ({ status }: WireObject): readonly Fields[] =>
  asRecords(asJsonObject(status).conditions);

/** Its condition of a type; undefined when it has none. */
export const conditionOf = (object: WireObject, type: string): Fields | undefined =>
  conditionsOf(object).find((condition) => condition.type === type);

/** `condition Ready=False since 5m`. */
export function conditionFact({ type, status, lastTransitionTime }: Fields, nowMs: number): string {
  const since = asText(lastTransitionTime) === '' ? '' : ` since ${formatAge(lastTransitionTime, nowMs)}`;
  return `condition ${asText(type)}=${asText(status)}${since}`;
}

/** Reason and message of a condition or state, as far as they are there. */
export const detailsOf = ({ reason, message }: Fields): string =>
  [asText(reason), asText(message)].filter(Boolean).join(': ');

/** When an event was seen last, in milliseconds since the epoch; 0 when it does not say. */
export function eventTimeMs({ series, lastTimestamp, eventTime, firstTimestamp }: Fields): number {
  const times = [asJsonObject(series).lastObservedTime, lastTimestamp, eventTime, firstTimestamp];
  return timeMs(times.find((time) => asText(time) !== ''));
}

/** `event FailedMount, 5m ago`. */
export function eventFact(event: Fields, nowMs: number): string {
  const age = formatAge(new Date(eventTimeMs(event)).toISOString(), nowMs);
  return `event ${asText(event.reason)}, ${age} ago`;
}

/** Warnings about an object, the newest first. */
export function warningsAbout(object: WireObject, { events }: Facts): readonly Fields[] {
  const { name, uid } = object.metadata;
  return events
    .filter(({ type, involvedObject }) => {
      const about = asJsonObject(involvedObject);
      const isSame = about.kind === object.kind && about.name === name;
      // Events about nodes name the node as their uid; an older object may have had the name.
      const isOlder = object.kind !== 'Node' && asText(about.uid) !== '' && about.uid !== uid;
      return type === 'Warning' && isSame && !isOlder;
    })
    .sort((a, b) => eventTimeMs(b) - eventTimeMs(a));
}

/** Objects of a kind that an object owns. */
export function ownedBy(owner: WireObject, kind: string, { related }: Facts): readonly WireObject[] {
  return related.filter(
    (object) =>
      object.kind === kind &&
      (object.metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid),
  );
}
