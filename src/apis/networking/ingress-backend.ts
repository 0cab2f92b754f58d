import { type FieldError, type FieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { ReceivedBackend } from '../conversions/index.ts';
import { reportInvalid } from '../reporting.ts';
import type { TypedLocalObjectReference } from '../types/core-v1.ts';
import {
  isDns1035Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isValidPortName,
  isValidPortNumber,
} from '../validation/index.ts';

/** How a version of the API calls the fields of a backend. */
export interface BackendNames {
  readonly defaultBackend: string;
  readonly serviceName: readonly string[];
  readonly portName: readonly string[];
  readonly portNumber: readonly string[];
}

/** Names in the versions before `v1`. */
export const betaNames: BackendNames = {
  defaultBackend: 'backend',
  serviceName: ['serviceName'],
  portName: ['servicePort'],
  portNumber: ['servicePort'],
};

/** Names in `v1`. */
export const latestNames: BackendNames = {
  defaultBackend: 'defaultBackend',
  serviceName: ['service', 'name'],
  portName: ['service', 'port', 'name'],
  portNumber: ['service', 'port', 'number'],
};

/**
 * Adds the errors of a backend: a service and its port, or another object. A service name that is there but empty
 * stands for a service that was given without a name, which only `v1` can say.
 */
export function validateBackend(
  errors: FieldError[],
  { serviceName, servicePort = 0, extraPortNumber, resource }: ReceivedBackend,
  path: FieldPath,
  names: BackendNames,
): void {
  const hasService = serviceName !== undefined || servicePort !== 0;
  if (resource !== undefined) {
    if (hasService) errors.push(invalidValue(path, '', 'cannot set both resource and service backends'));
    else validateReference(errors, resource, path.child('resource'));
    return;
  }
  if (!hasService) {
    errors.push(invalidValue(path, '', 'resource or service backend is required'));
    return;
  }
  const namePath = path.child(...names.serviceName);
  if (!serviceName) errors.push(required(namePath));
  else reportInvalid(errors, namePath, serviceName, isDns1035Label(serviceName));
  if (extraPortNumber === undefined) validatePort(errors, servicePort, path, names);
  else errors.push(invalidValue(path, '', 'cannot set both port name & port number'));
}

function validatePort(
  errors: FieldError[],
  port: number | string,
  path: FieldPath,
  names: BackendNames,
): void {
  if (port === 0 || port === '') errors.push(required(path, 'port name or number is required'));
  else if (typeof port === 'number') {
    reportInvalid(errors, path.child(...names.portNumber), port, isValidPortNumber(port));
  } else reportInvalid(errors, path.child(...names.portName), port, isValidPortName(port ?? ''));
}

/** Adds the errors of a reference to an object of any kind. */
export function validateReference(
  errors: FieldError[],
  { apiGroup, kind, name }: TypedLocalObjectReference,
  path: FieldPath,
): void {
  if (apiGroup !== undefined && apiGroup !== null) {
    reportInvalid(errors, path.child('apiGroup'), apiGroup, isDns1123Subdomain(apiGroup));
  }
  if (kind === '') errors.push(required(path.child('kind'), 'kind is required'));
  else reportInvalid(errors, path.child('kind'), kind, isPathSegmentName(kind));
  if (name === '') errors.push(required(path.child('name'), 'name is required'));
  else reportInvalid(errors, path.child('name'), name, isPathSegmentName(name));
}
