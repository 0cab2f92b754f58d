import type { ObjectReference } from '../../apis/types/core-v1.ts';
import type { EventSubject } from './event-recorder.ts';

/**
 * How an event names what it is about. The node's own uid is its name, as clients that look for the node's events expect
 * it of an agent.
 */
export function involvedObject(about: EventSubject, nodeName: string): ObjectReference {
  if (about.kind === 'node') return { kind: 'Node', name: nodeName, uid: nodeName };
  const { namespace, name, uid, resourceVersion } = about.pod.metadata;
  return {
    kind: 'Pod',
    ...optional('namespace', namespace),
    ...optional('name', name),
    ...optional('uid', uid),
    apiVersion: 'v1',
    ...optional('resourceVersion', resourceVersion),
    ...optional('fieldPath', about.fieldPath),
  };
}

const optional = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  // The one key that is set is K.
  value ? ({ [key]: value } as Partial<Record<K, string>>) : {};
