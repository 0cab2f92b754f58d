import { forbidden, type StatusError } from '../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../registry/index.ts';
import { requestedGroup } from './pod-attributes.ts';

/**
 * The error of a plugin that refuses a write: 403 that names the object, by the name that was generated for it, or its
 * `generateName` while it has none yet (release 1.20, `admission.NewForbidden`).
 */
export function refuse(attributes: AdmissionAttributes, detail: string): StatusError {
  const { name, object, resource } = attributes;
  const shownName = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  const group = requestedGroup(attributes);
  return forbidden({ group, resource: resource.resource }, shownName, detail);
}
