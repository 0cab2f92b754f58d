import type { Container, Pod, PodSecurityContext, SecurityContext } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type {
  ContainerSecurityContext,
  Image,
  NamespaceOptions,
  SandboxSecurityContext,
} from '../runtime/index.ts';
import { ContainerConfigError } from './config-error.ts';
import { formatPodName } from './pod-name.ts';
import procPaths from './proc-paths.json' with { type: 'json' };
import { apparmorProfile, seccompProfile } from './security-profiles.ts';

/** User that an image starts as. */
export type ImageUser = Pick<Image, 'userId' | 'username'>;

/** What a container's security settings depend on beside its security context and that of the pod. */
export interface ContainerSecurityOptions {
  readonly imageUser: ImageUser;
  /** Groups that volumes ask for. */
  readonly extraGroups: readonly number[];
  /** Container whose processes this one, an ephemeral one, sees. */
  readonly targetContainerId?: string | undefined;
  readonly seccompProfileRoot: string;
  readonly dialect: Dialect;
}

/** A container's security context over that of its pod: what the container says wins. */
export function mergeSecurityContext(
  pod: PodSecurityContext | undefined,
  container: SecurityContext | undefined,
): SecurityContext {
  return {
    ...container,
    seLinuxOptions: container?.seLinuxOptions ?? pod?.seLinuxOptions,
    runAsUser: container?.runAsUser ?? pod?.runAsUser,
    runAsGroup: container?.runAsGroup ?? pod?.runAsGroup,
    runAsNonRoot: container?.runAsNonRoot ?? pod?.runAsNonRoot,
  };
}

/**
 * Under which rights a container runs: its own words, then those of its pod, then the image's user, then root.
 *
 * @throws ContainerConfigError when it would run as root and must not.
 */
export function containerSecurity(
  pod: Pod,
  container: Container,
  options: ContainerSecurityOptions,
): ContainerSecurityContext {
  const merged = mergeSecurityContext(pod.spec.securityContext, container.securityContext);
  verifyRunAsNonRoot({ pod, containerName: container.name, merged, imageUser: options.imageUser });
  const isUnmasked = merged.procMount === 'Unmasked';
  return {
    ...chooseUser(merged, options.imageUser),
    runAsGroup: merged.runAsGroup,
    namespaces: containerNamespaces(pod, options.targetContainerId),
    selinux: merged.seLinuxOptions,
    supplementalGroups: supplementalGroups(pod, options.extraGroups),
    isRootReadOnly: merged.readOnlyRootFilesystem,
    isPrivileged: merged.privileged,
    addCapabilities: merged.capabilities?.add,
    dropCapabilities: merged.capabilities?.drop,
    noNewPrivileges: merged.allowPrivilegeEscalation === false,
    maskedPaths: isUnmasked ? [] : procPaths.masked,
    readOnlyPaths: isUnmasked ? [] : procPaths.readOnly,
    seccomp: seccompProfile(pod, container, {
      profileRoot: options.seccompProfileRoot,
      dialect: options.dialect,
    }),
    apparmor: apparmorProfile(pod, container, options.dialect),
  };
}

/** Under which rights a pod's sandbox runs. */
export function sandboxSecurity(pod: Pod, extraGroups: readonly number[]): SandboxSecurityContext {
  const { securityContext, containers, initContainers = [] } = pod.spec;
  const every = [...(containers ?? []), ...initContainers];
  const runAsUser = securityContext?.runAsUser;
  return {
    namespaces: podNamespaces(pod),
    isPrivileged: every.some((container) => container.securityContext?.privileged === true),
    // The sandbox does nothing that needs more, whatever the containers may do.
    seccomp: { kind: 'runtime-default' },
    runAsUser,
    runAsGroup: runAsUser === undefined ? undefined : securityContext?.runAsGroup,
    supplementalGroups: supplementalGroups(pod, extraGroups),
    selinux: securityContext?.seLinuxOptions,
  };
}

/** Namespaces of a pod. Processes are hidden from other containers unless the pod says otherwise. */
export function podNamespaces({ spec }: Pod): NamespaceOptions {
  return {
    network: spec.hostNetwork === true ? 'node' : 'pod',
    ipc: spec.hostIPC === true ? 'node' : 'pod',
    pid: spec.hostPID === true ? 'node' : spec.shareProcessNamespace === true ? 'pod' : 'container',
  };
}

function containerNamespaces(pod: Pod, targetId: string | undefined): NamespaceOptions {
  const namespaces = podNamespaces(pod);
  // Where processes see one another anyway there is nothing to join.
  return targetId === undefined || namespaces.pid !== 'container'
    ? namespaces
    : { ...namespaces, pid: 'target', targetId };
}

function chooseUser(
  { runAsUser }: SecurityContext,
  { userId, username }: ImageUser,
): ContainerSecurityContext {
  if (runAsUser !== undefined) return { runAsUser };
  if (userId !== undefined) return { runAsUser: userId };
  return username === '' ? { runAsUser: 0 } : { runAsUsername: username };
}

function supplementalGroups({ spec: { securityContext } }: Pod, extraGroups: readonly number[]): number[] {
  const fsGroup = securityContext?.fsGroup;
  const own = securityContext?.supplementalGroups ?? [];
  return [...new Set([...(fsGroup === undefined ? [] : [fsGroup]), ...own, ...extraGroups])];
}

/** A container with its security context, and the user that its image names. */
interface RunAsNonRootOptions {
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
function verifyRunAsNonRoot({ pod, containerName, merged, imageUser }: RunAsNonRootOptions): void {
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
