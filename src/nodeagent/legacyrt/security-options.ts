import { readFile } from 'node:fs/promises';
import type {
  ContainerSecurityContext,
  NamespaceOptions,
  SandboxSecurityContext,
  SecurityProfile,
  SelinuxOptions,
} from '../runtime/index.ts';
import { callFailure } from './engine-failure.ts';

/** The engine's `SecurityOpt`: profiles and labels. @throws RuntimeError `invalid` for a profile that cannot be read */
export async function writeSecurityOptions(
  call: string,
  security: SandboxSecurityContext & Pick<ContainerSecurityContext, 'noNewPrivileges'>,
): Promise<string[]> {
  const { seccomp, apparmor, selinux, isPrivileged = false, noNewPrivileges = false } = security;
  return [
    ...(isPrivileged ? [] : await writeSeccomp(call, seccomp)),
    ...writeApparmor(apparmor),
    ...writeSelinux(selinux),
    ...(noNewPrivileges ? ['no-new-privileges'] : []),
  ];
}

/** The engine's default profile needs no words. */
async function writeSeccomp(
  call: string,
  profile: SecurityProfile = { kind: 'unconfined' },
): Promise<string[]> {
  if (profile.kind === 'runtime-default') return [];
  if (profile.kind === 'unconfined') return ['seccomp=unconfined'];
  const path = profile.reference.replace(/^localhost\//, '');
  try {
    return [`seccomp=${JSON.stringify(JSON.parse(await readFile(path, 'utf8')))}`];
  } catch (error) {
    throw callFailure(call, 'invalid', `cannot load seccomp profile "${path}": ${String(error)}`, error);
  }
}

function writeApparmor(profile: SecurityProfile | undefined): string[] {
  if (profile === undefined || profile.kind === 'runtime-default') return [];
  if (profile.kind === 'unconfined') return ['apparmor=unconfined'];
  return [`apparmor=${profile.reference.replace(/^localhost\//, '')}`];
}

function writeSelinux({ user, role, type, level }: SelinuxOptions = {}): string[] {
  return Object.entries({ user, role, type, level }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`label=${name}:${value}`],
  );
}

/** The engine's `User`. @throws RuntimeError `invalid` for a group without a user */
export function writeUser(call: string, security: ContainerSecurityContext): string {
  const { runAsUser, runAsUsername = '', runAsGroup } = security;
  const user = runAsUser === undefined ? runAsUsername : `${runAsUser}`;
  if (runAsGroup === undefined) return user;
  if (user === '') throw callFailure(call, 'invalid', 'runAsGroup is set without a user');
  return `${user}:${runAsGroup}`;
}

/** Modes of a sandbox's own namespaces. Its memory is shared with the containers that join it later. */
export function writeSandboxNamespaces({ pid, ipc }: Partial<NamespaceOptions> = {}) {
  return { PidMode: pid === 'node' ? 'host' : '', IpcMode: ipc === 'node' ? 'host' : 'shareable' };
}

/** Modes of a container's namespaces, most of them those of its sandbox. */
export function writeContainerNamespaces(sandboxId: string, namespaces: Partial<NamespaceOptions> = {}) {
  const { network = 'pod', pid = 'container', ipc = 'pod', targetId = '' } = namespaces;
  const ofSandbox = `container:${sandboxId}`;
  const pidModes = { node: 'host', pod: ofSandbox, target: `container:${targetId}`, container: '' };
  return {
    NetworkMode: ofSandbox,
    UTSMode: network === 'node' ? 'host' : '',
    IpcMode: ipc === 'node' ? 'host' : ofSandbox,
    PidMode: pidModes[pid],
  };
}
