import type { Pod } from '../../../apis/types/core-v1.ts';
import { notFound } from '../../../machinery/errors/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
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
  if (pod.spec.hostPID === true) return 'container using host pid';
  if (pod.spec.hostIPC === true) return 'container using host ipc';
  return privilegeOf(pod);
}

const privilegeOf = ({ spec }: Pod): string | undefined =>
  spec.containers?.some(({ securityContext }) => securityContext?.privileged === true)
    ? 'privileged container'
    : undefined;
