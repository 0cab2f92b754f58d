import type { NamespaceOptions, SandboxSecurityContext, SecurityProfile } from '../runtime/index.ts';
import type {
  LinuxSandboxSecurityContext,
  NamespaceOption,
  SecurityProfile as SecurityProfileMessage,
} from './messages.ts';
import type { Sparse } from './protocol.ts';

/** Numbers of the interface's `NamespaceMode`. */
export const namespaceModes = { pod: 0, container: 1, node: 2, target: 3 } as const;

/** Numbers of the interface's `SecurityProfile.ProfileType`. */
const profileTypes = { 'runtime-default': 0, unconfined: 1, localhost: 2 } as const;

/**
 * The part that the security messages of sandboxes and containers share. Profiles are written in the newer fields and
 * in the ones that they replaced, for runtimes that know only those.
 */
export function writeCommonSecurity(security: SandboxSecurityContext): Sparse<LinuxSandboxSecurityContext> {
  const { namespaces, seccomp, apparmor } = security;
  return {
    namespace_options: namespaces && writeNamespaces(namespaces),
    selinux_options: security.selinux,
    run_as_user: optionalInt64(security.runAsUser),
    run_as_group: optionalInt64(security.runAsGroup),
    readonly_rootfs: security.isRootReadOnly,
    supplemental_groups: security.supplementalGroups,
    privileged: security.isPrivileged,
    seccomp: seccomp && writeProfile(seccomp),
    apparmor: apparmor && writeProfile(apparmor),
    seccomp_profile_path: seccomp && writeOlderProfile(seccomp),
  };
}

/** A profile as the older fields write it: `runtime/default`, `unconfined` or `localhost/NAME`. */
export function writeOlderProfile(profile: SecurityProfile): string {
  switch (profile.kind) {
    case 'runtime-default':
      return 'runtime/default';
    case 'unconfined':
      return 'unconfined';
    case 'localhost':
      return `localhost/${profile.reference}`;
  }
}

function writeProfile(profile: SecurityProfile): Sparse<SecurityProfileMessage> {
  return {
    profile_type: profileTypes[profile.kind],
    localhost_ref: profile.kind === 'localhost' ? profile.reference : undefined,
  };
}

function writeNamespaces({ network, pid, ipc, targetId }: NamespaceOptions): Sparse<NamespaceOption> {
  return {
    network: namespaceModes[network],
    pid: namespaceModes[pid],
    ipc: namespaceModes[ipc],
    target_id: targetId,
  };
}

/** A number whose absence means something else than 0. */
function optionalInt64(value: number | undefined): { readonly value: number } | undefined {
  return value === undefined ? undefined : { value };
}
