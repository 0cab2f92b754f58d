import type { Pod, SecurityContext } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { Image } from '../runtime/index.ts';
import { ContainerConfigError } from './config-error.ts';
import { formatPodName } from './pod-name.ts';

/** A container with its security context, and the user that its image names. */
export interface RunAsNonRootOptions {
  readonly pod: Pod;
  readonly containerName: string;
  /** The container's security context over that of its pod. */
  readonly merged: SecurityContext;
  readonly imageUser: Pick<Image, 'userId' | 'username'>;
}

/**
 * Makes sure that a container that must not run as root does not.
 *
 * @throws ContainerConfigError with release 1.20's message when it would, or when that cannot be told.
 */
export function verifyRunAsNonRoot({ pod, containerName, merged, imageUser }: RunAsNonRootOptions): void {
  if (merged.runAsNonRoot !== true) return;
  const problem = findProblem(merged.runAsUser, imageUser);
  if (problem === undefined) return;
  const where = `(pod: ${quoteGo(formatPodName(pod))}, container: ${containerName})`;
  throw new ContainerConfigError(`${problem} ${where}`);
}

function findProblem(
  runAsUser: number | undefined,
  { userId, username }: RunAsNonRootOptions['imageUser'],
): string | undefined {
  if (runAsUser !== undefined) {
    return runAsUser === 0 ? "container's runAsUser breaks non-root policy" : undefined;
  }
  const starts = 'container has runAsNonRoot and image';
  if (userId === undefined && username !== '') {
    return `${starts} has non-numeric user (${username}), cannot verify user is non-root`;
  }
  return (userId ?? 0) === 0 ? `${starts} will run as root` : undefined;
}
