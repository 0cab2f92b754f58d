/** `rbac.authorization.orch.io` and `v1` are `RbacAuthorizationV1` in operation names. */
export function operationGroup(groupPrefix: string, version: string): string {
  const words = groupPrefix === '' ? ['core'] : groupPrefix.split('.');
  return [...words, version].map(capitalize).join('');
}

/** `rbacAuthorization_v1`: the tag of a version's operations; of the whole group without a version. */
export function operationTag(groupPrefix: string, version?: string): string {
  const [first = '', ...rest] = groupPrefix === '' ? ['core'] : groupPrefix.split('.');
  const group = first + rest.map(capitalize).join('');
  return version === undefined ? group : `${group}_${version}`;
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
