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

/** @throws StatusError 500 for what does not fit the type; `what` says what cannot be done then. */
export function checkTyped(schema: ApplySchema, object: Json, what: string): void {
  try {
    validateTyped(schema.root, object);
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw applyFailure(`${what}: ${error.message}`);
  }
}

/** The kind of an object, as release 1.20 shows it. */
export function shownKind({ apiVersion, kind }: Json): string {
  const version = String(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** The answer to a configuration of a kind that there is not. */
export const noTypeOf = (config: Json): Error =>
  applyFailure(`failed to create typed patch object: no corresponding type for ${shownKind(config)}`);
