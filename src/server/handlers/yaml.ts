import { dump } from 'js-yaml';

/** A value as a YAML document, the way the reference writes answers. */
export function toYaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1, sortKeys: true });
}
