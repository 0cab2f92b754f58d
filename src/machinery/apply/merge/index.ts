/**
 * Who owns which fields after an update or an apply: conflicts, transfer, pruning. Managers are opaque
 * identities here; times and encoded entries belong to `managed-fields`.
 */
export { ApplyConflictError, type FieldConflict } from './conflict.ts';
export {
  type ConvertTyped,
  equalManagers,
  type ManagerSet,
  type Managers,
  type TypedObject,
} from './managers.ts';
export { applyOwnership, updateOwnership } from './updater.ts';
