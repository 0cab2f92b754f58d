/**
 * The record `metadata.managedFields`: reading, writing, its rules for updates and applies, and the errors that
 * clients see. The caller knows kinds, versions and the time; nothing here reads a clock or stores anything.
 */

import type { Steps } from '../../../base/index.ts';
import type { ManagedFieldsEntry } from '../../meta/index.ts';
import {
  type AppliedObject,
  type ApplyConfigurationInput,
  ConfigurationMerger,
  type LastApplied,
} from './configuration-merger.ts';
import { createFieldSetParser } from './set-cache.ts';
import { createConvertTyped, type TypedKinds } from './typed-kinds.ts';
import { type RecordUpdateInput, UpdateRecorder } from './update-recorder.ts';

/** What the manager of fields must be told about kinds. */
export interface FieldManagerOptions extends TypedKinds {
  /** Without it nothing is taken over from a client that used to apply by itself. */
  readonly lastApplied?: LastApplied;
}

/** Keeps the record of who owns which fields. What is handed over must not change until the last step. */
export interface FieldManager {
  /** The record for an object that was created, updated or patched; undefined for none. */
  recordUpdate(input: RecordUpdateInput): Steps<ManagedFieldsEntry[] | undefined>;
  /**
   * Merges an applied configuration and gives the record for the result.
   *
   * @throws StatusError: 409 with the conflicts, 400 for another version or managed fields in the body, 500
   * for what does not fit the type.
   */
  applyConfiguration(input: ApplyConfigurationInput): Steps<AppliedObject>;
}

const rememberedSets = 2000;

/** A field manager for all kinds of a server. It remembers recent sets and nothing else. */
export function createFieldManager(options: FieldManagerOptions): FieldManager {
  const parse = createFieldSetParser({ capacity: rememberedSets });
  const convert = createConvertTyped(options);
  const updates = new UpdateRecorder(options, parse, convert);
  const merger = new ConfigurationMerger({
    kinds: options,
    parse,
    convert,
    updates,
    lastApplied: options.lastApplied,
  });
  return {
    recordUpdate: (input) => updates.record(input),
    applyConfiguration: (input) => merger.apply(input),
  };
}
