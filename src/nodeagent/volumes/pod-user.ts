import type { Pod } from '../../apis/types/core-v1.ts';

/** The user that all containers of a pod run as by its specification; undefined when it does not say, or they differ. */
export function podUserId({ spec }: Pod): number | undefined {
  const users = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(
    ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
  );
  const [first] = users;
  return users.every((user) => user === first) ? first : undefined;
}
