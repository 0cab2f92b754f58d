import { isJsonObject } from '../../../base/index.ts';
import { badRequest } from '../../errors/index.ts';
import { TypedError } from '../typed/list-items.ts';
import { validateTyped } from '../typed/validate.ts';
import type { ApplySchema } from '../typed/view.ts';
import { applyFailure } from './status.ts';

type Json = Record<string, unknown>;

/** @throws StatusError 400 for another version, and for a configuration that brings a record of owners. */
export function checkConfiguration(config: Json, apiVersion: string): void {
  const version = typeof config.apiVersion === 'string' ? config.apiVersion : '';
  if (version !== apiVersion) {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${apiVersion}`,
    );
  }
  const { metadata } = config;
  if (isJsonObject(metadata) && metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
}

/** @throws StatusError 500 for what does not fit the type. */
export function checkTyped(schema: ApplySchema, object: Json, what: 'patch' | 'live'): void {
  try {
    validateTyped(schema.root, object);
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw applyFailure(`failed to create typed ${what} object: ${error.message}`);
  }
}
