/** Packages that do not follow from the group's name; source: names in the published document of release 1.20. */
const packages: Readonly<Record<string, string>> = {
  '': 'io.orch.api.core',
  'meta.orch.io': 'io.orch.apimachinery.pkg.apis.meta',
  'apiextensions.orch.io': 'io.orch.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.orch.io': 'io.orch.orch-aggregator.pkg.apis.apiregistration',
  'internal.apiserver.orch.io': 'io.orch.api.apiserverinternal',
};
const helpers: Readonly<Record<string, string>> = {
  intstr: 'io.orch.apimachinery.pkg.util.intstr',
  resource: 'io.orch.apimachinery.pkg.api.resource',
  runtime: 'io.orch.apimachinery.pkg.runtime',
  version: 'io.orch.apimachinery.pkg.version',
};

/** Name of the definition of a catalog type, both as the data spells them: `v1.Pod`, `io.orch.api.core.v1.Pod`. */
export function definitionNameOf(typeName: string): string {
  const dot = typeName.lastIndexOf('.');
  const [version = '', group = ''] = typeName.slice(0, dot).split('/').reverse();
  const helper = helpers[version];
  if (helper !== undefined) return `${helper}${typeName.slice(dot)}`;
  const folder = packages[group] ?? `io.orch.api.${group.split('.')[0]}`;
  return `${folder}.${version}${typeName.slice(dot)}`;
}

/** Name of the definition of a custom kind: the group's parts backwards, as `com.example.stable.v1.CronTab`. */
export function customDefinitionName(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}
