import type { Pod } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import rules from './sysctl-rules.json' with { type: 'json' };

/** Why a pod is not run at all. */
export interface PodRefusal {
  readonly reason: string;
  readonly message: string;
}

/**
 * Refuses a pod that sets a kernel parameter which is neither safe nor allowed, or which would change the node's own
 * because the pod shares its namespace. Allowed are names, and prefixes that end in `*`.
 */
export function refuseSysctls(
  { spec }: Pod,
  allowedUnsafeSysctls: readonly string[],
): PodRefusal | undefined {
  const allowed = [...rules.safe, ...allowedUnsafeSysctls];
  for (const { name } of spec.securityContext?.sysctls ?? []) {
    const problem = findProblem(name, spec, allowed);
    if (problem !== undefined) {
      return { reason: 'SysctlForbidden', message: `forbidden sysctl: ${quoteGo(name)} ${problem}` };
    }
  }
  return undefined;
}

/** Kernel parameters of a pod by name; the last one of a name counts. */
export function podSysctls({ spec }: Pod): Record<string, string> {
  return Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [name, value]));
}

function findProblem(name: string, spec: Pod['spec'], allowed: readonly string[]): string | undefined {
  const isAllowed = allowed.some((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name,
  );
  if (!isAllowed) return 'not whitelisted';
  const namespace = namespaceOf(name);
  const isShared = (namespace === 'net' && spec.hostNetwork) || (namespace === 'ipc' && spec.hostIPC);
  return isShared ? `not allowed with host ${namespace} enabled` : undefined;
}

function namespaceOf(name: string): 'ipc' | 'net' | undefined {
  const startsWith = (prefix: string): boolean => name.startsWith(prefix);
  if (rules.ipc.includes(name) || rules.ipcPrefixes.some(startsWith)) return 'ipc';
  return rules.netPrefixes.some(startsWith) ? 'net' : undefined;
}
