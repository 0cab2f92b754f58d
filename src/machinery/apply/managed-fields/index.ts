/**
 * The record `metadata.managedFields`: reading, writing, its rules for updates and applies, and the errors that
 * clients see. The caller knows kinds, versions and the time; nothing here reads a clock or stores anything.
 */
export { maxUpdateManagers } from './cap-updaters.ts';
export { ManagedFieldsError } from './decode.ts';
export {
  type AppliedObject,
  type ApplyConfigurationInput,
  createFieldManager,
  type FieldManager,
  type FieldManagerOptions,
  type RecordUpdateInput,
} from './field-manager.ts';
