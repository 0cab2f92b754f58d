import type { Container, Pod, PodSecurityContext, SecurityContext } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type {
  ContainerSecurityContext,
  Image,
  NamespaceOptions,
  SandboxSecurityContext,
} from '../runtime/index.ts';
import procPaths from './proc-paths.json' with { type: 'json' };
import { verifyRunAsNonRoot } from './run-as-non-root.ts';
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
