import type { Dialect } from '../../machinery/dialect.ts';
import type { PersistentVolumeSpec } from '../types/core-v1.ts';
import type { CSINode } from '../types/storage-v1.ts';
import kinds from './migrated-kinds.json' with { type: 'json' };

/** Members of a volume that hold the source of a kind that drivers can serve. */
type MigratedField = keyof typeof kinds;

/** Sources of kinds that drivers can serve: those of pods have the same members. */
export type MigratedSources = Pick<PersistentVolumeSpec, MigratedField>;

/** A built-in kind of volumes, and the driver that serves it where its gate is on. */
export interface MigratedKind {
  readonly field: MigratedField;
  /** Name of the kind without the product's domain, such as `aws-ebs`. */
  readonly plugin: string;
  readonly driver: string;
  readonly gate: string;
  /** Label by which the driver tells zones; undefined: it tells none. */
  readonly topologyKey?: string | undefined;
}

const withField = <F extends MigratedField>(field: F) => ({ field, ...kinds[field] });

/** All of them. */
export const migratedKinds: readonly MigratedKind[] = [
  withField('awsElasticBlockStore'),
  withField('azureDisk'),
  withField('azureFile'),
  withField('gcePersistentDisk'),
  withField('cinder'),
  withField('vsphereVolume'),
];

/** The kinds that gates leave to drivers: none while the gate of all of them is off. */
export function kindsOfGates(isOn: (gate: string) => boolean): readonly MigratedKind[] {
  return isOn('CSIMigration') ? migratedKinds.filter(({ gate }) => isOn(gate)) : [];
}

/** Which of the kinds a volume is of. */
export const kindOf = (
  sources: MigratedSources,
  among: readonly MigratedKind[] = migratedKinds,
): MigratedKind | undefined => among.find(({ field }) => (sources[field] ?? undefined) !== undefined);

/** Those of the kinds that drivers serve on a node, as its agent says. */
export function kindsOnNode(
  { metadata }: CSINode,
  among: readonly MigratedKind[],
  dialect: Dialect,
): readonly MigratedKind[] {
  const text = metadata.annotations?.[migratedAnnotation(dialect)] ?? '';
  const plugins = new Set(text.split(','));
  return among.filter(({ plugin }) => plugins.has(dialect.label(plugin)));
}

/** Annotation in which an agent says which kinds drivers serve on its node: names of kinds with commas between. */
export const migratedAnnotation = (dialect: Dialect): string =>
  dialect.domain('storage.alpha', 'migrated-plugins');
