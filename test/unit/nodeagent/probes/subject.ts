import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import type { AgentEvent, EventRecorder } from '../../../../src/nodeagent/events/index.ts';

/** A container `c` with these fields. */
export const containerOf = (more: Partial<Container> = {}): Container => ({
  name: 'c',
  image: 'a:1',
  resources: {},
  ...more,
});

/** The pod `web` with one container. */
export const podOf = (container: Container, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', creationTimestamp: null, ...metadata },
  spec: { containers: [container] },
  status: {},
});

/** Keeps events as `type reason fieldPath: message`. */
export function recordEvents(): EventRecorder & { readonly texts: string[] } {
  const texts: string[] = [];
  const record = ({ about, type, reason, message }: AgentEvent): void => {
    const where = about.kind === 'pod' ? (about.fieldPath ?? '') : 'node';
    texts.push(`${type} ${reason} ${where}: ${message}`);
  };
  return { texts, record };
}

/** Lets what is ready to go on do so. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
