/** Where events say that they are about one container of a pod. */
export const containerFieldPath = (
  list: 'containers' | 'initContainers' | 'ephemeralContainers',
  name: string,
): string => `spec.${list}{${name}}`;
