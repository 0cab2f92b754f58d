import type { AdmissionAttributes } from '../../../registry/index.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

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
