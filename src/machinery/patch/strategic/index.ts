/**
 * Strategic merge patch of release 1.20: a merge patch that knows from the types which lists are merged, by which
 * key, and that follows directives in the patch. Applies patches, and makes them from two or three objects as the
 * client of that release does. Pure; it reads types from the catalog and decodes nothing.
 */
export { applyStrategicMergePatch, parseStrategicMergePatch } from './apply.ts';
export {
  createStrategicMergePatch,
  createThreeWayStrategicPatch,
  findPatchConflicts,
  PatchConflictError,
  type ThreeWayOptions,
} from './create.ts';
export { explainConversion, scalarFault } from './explain-conversion.ts';
export { formatGo, goTypeOfJson } from './go-text.ts';
export { UsedMembers } from './used-members.ts';
export { wrapIntegers } from './wrap-integers.ts';
