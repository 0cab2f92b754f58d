/** `pod/x`, `deployment.apps/x`: kind and group before the name, as `-o name` and messages show an object. */
export function formatObjectName(object: {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}): string {
  const kind = object.kind.toLowerCase();
  return `${object.group === '' ? kind : `${kind}.${object.group}`}/${object.name}`;
}
