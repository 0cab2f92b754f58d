import type { Pod } from '../../../apis/types/core-v1.ts';
import { notFound } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { containersOf, podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/** DenyEscalatingExec: nobody runs commands in, or attaches to, pods that reach out of their sandbox. */
export const denyEscalatingExec = (sources: PluginSources): AdmissionPlugin =>
  denyExec('DenyEscalatingExec', sources, escalationOf);

/** DenyExecOnPrivileged: the same for pods with a privileged container only. */
export const denyExecOnPrivileged = (sources: PluginSources): AdmissionPlugin =>
  denyExec('DenyExecOnPrivileged', sources, privilegeOf);

/** `problemOf` says into what nobody may come; undefined for a pod that is harmless. */
function denyExec(
  name: string,
  { read }: PluginSources,
  problemOf: (pod: Pod) => string | undefined,
): AdmissionPlugin {
  return {
    name,
    handles: onOperations('CONNECT'),
    validate(attributes) {
      const { resource, subresource, namespace } = attributes;
      const isStream = subresource === 'exec' || subresource === 'attach';
      if (resource.group !== '' || resource.resource !== 'pods' || !isStream) return;
      const pod = read.get<Pod>('', 'pods', namespace, attributes.name);
      if (pod === undefined) throw refuse(attributes, notFound(resource, attributes.name).message);
      const problem = problemOf(pod);
      if (problem !== undefined) throw refuse(attributes, `cannot exec into or attach to a ${problem}`);
    },
  };
}

function escalationOf(pod: Pod): string | undefined {
  if (pod.spec.hostNetwork === true) return 'container using host network';
  if (pod.spec.hostPID === true) return 'container using host pid';
  if (pod.spec.hostIPC === true) return 'container using host ipc';
  return privilegeOf(pod);
}

const privilegeOf = (pod: Pod): string | undefined =>
  [...containersOf(pod)].some(({ securityContext }) => securityContext?.privileged === true)
    ? 'privileged container'
    : undefined;

/** Fields of a pod's security context that are refused, in the order of the checks, by Go name. */
const podFields = [
  ['supplementalGroups', 'SupplementalGroups'],
  ['seLinuxOptions', 'SELinuxOptions'],
  ['runAsUser', 'RunAsUser'],
  ['fsGroup', 'FSGroup'],
] as const;
const containerFields = [
  ['seLinuxOptions', 'SELinuxOptions'],
  ['runAsUser', 'RunAsUser'],
] as const;

/** Refuses pods that choose their own user, groups or SELinux labels. */
export function securityContextDeny(): AdmissionPlugin {
  return {
    name: 'SecurityContextDeny',
    handles: onOperations('CREATE', 'UPDATE'),
    validate(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      const { securityContext, initContainers, containers } = pod.spec;
      for (const [field, goName] of podFields) {
        if (isSet(securityContext?.[field])) throw denied(attributes, `pod.Spec.SecurityContext.${goName}`);
      }
      for (const container of [...(initContainers ?? []), ...(containers ?? [])]) {
        for (const [field, goName] of containerFields) {
          if (isSet(container.securityContext?.[field]))
            throw denied(attributes, `SecurityContext.${goName}`);
        }
      }
    },
  };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const denied = (attributes: AdmissionAttributes, what: string) => refuse(attributes, `${what} is forbidden`);

/**
 * Refuses required anti-affinity with a topology key other than the host name's: pods may keep others off their node,
 * not off whole zones.
 */
export function limitPodHardAntiAffinityTopology({ dialect }: PluginSources): AdmissionPlugin {
  const allowedKey = dialect.label('hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: onOperations('CREATE', 'UPDATE'),
    validate(attributes) {
      const terms =
        podOf(attributes)?.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
      const wider = terms?.find(({ topologyKey }) => topologyKey !== allowedKey);
      if (wider === undefined) return;
      throw refuse(
        attributes,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wider.topologyKey} but only key ${allowedKey} is allowed`,
      );
    },
  };
}
