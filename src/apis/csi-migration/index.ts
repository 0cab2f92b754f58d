/**
 * Volumes of built-in kinds as those of the drivers that serve them in their place: which kinds there are, whose gates leave them
 * to drivers, and what their sources are in the drivers' words. Pure: the agent mounts by it, and the scheduler places by it. It
 * translates nothing back, and no storage classes. Source: release 1.20, `csi-translation-lib` and `pkg/volume/csimigration`.
 */
export {
  kindOf,
  kindsOfGates,
  kindsOnNode,
  type MigratedKind,
  migratedAnnotation,
  migratedKinds,
} from './migrated-kinds.ts';
export { translatePersistentVolume, translatePodVolume } from './translate-volume.ts';
