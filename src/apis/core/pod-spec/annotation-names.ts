import type { Dialect } from '../../../machinery/dialect.ts';
import names from './annotation-names.json' with { type: 'json' };

/** Annotations with a meaning for pods, in one dialect. Names that end in `Prefix` precede a container's name. */
export type PodAnnotationNames = Readonly<Record<keyof typeof names, string>>;

const spelled = new WeakMap<Dialect, PodAnnotationNames>();

/** The names in `dialect`, translated once. */
export function podAnnotationNames(dialect: Dialect): PodAnnotationNames {
  let result = spelled.get(dialect);
  if (result === undefined) {
    const spell = (text: string): string => dialect.spell(text);
    result = {
      mirror: spell(names.mirror),
      tolerations: spell(names.tolerations),
      seccompPod: spell(names.seccompPod),
      seccompContainerPrefix: spell(names.seccompContainerPrefix),
      appArmorContainerPrefix: spell(names.appArmorContainerPrefix),
    };
    spelled.set(dialect, result);
  }
  return result;
}
