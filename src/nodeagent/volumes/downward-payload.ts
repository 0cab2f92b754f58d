import type { DownwardAPIVolumeFile, Pod } from '../../apis/types/core-v1.ts';
import { extractPodField, extractResourceField } from '../container-config/index.ts';
import type { MountContext } from './contract.ts';
import { describeError, joinMessages } from './describe-error.ts';
import type { Payload, PayloadFile } from './payload.ts';

/** The pod whose fields and resources a downward API volume shows; the mode is that of files without one. */
export interface DownwardPayloadOptions {
  readonly pod: Pod;
  readonly context: MountContext;
  readonly defaultMode: number;
}

/** Files with fields of the pod and amounts of its containers. @throws Error for what is not offered. */
export function downwardPayload(
  items: readonly DownwardAPIVolumeFile[],
  { pod, context, defaultMode }: DownwardPayloadOptions,
): Payload {
  const files = new Map<string, PayloadFile>();
  const problems: string[] = [];
  for (const item of items) {
    try {
      const content = Buffer.from(read(item, pod, context), 'utf8');
      files.set(item.path, { content, mode: item.mode ?? defaultMode });
    } catch (error) {
      problems.push(describeError(error));
    }
  }
  if (problems.length > 0) throw new Error(joinMessages(problems));
  return files;
}

function read(
  { fieldRef, resourceFieldRef }: DownwardAPIVolumeFile,
  pod: Pod,
  context: MountContext,
): string {
  if (fieldRef) return extractPodField(pod, fieldRef.fieldPath, context);
  const [container] = pod.spec.containers ?? [];
  if (!resourceFieldRef || container === undefined) return '';
  return extractResourceField(resourceFieldRef, { pod, container, allocatable: context.allocatable });
}
