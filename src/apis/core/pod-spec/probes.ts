import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { Container, Handler, HTTPGetAction, Lifecycle, Probe } from '../../types/core-v1.ts';
import {
  isHttpHeaderName,
  isValidPortName,
  isValidPortNumber,
  validateNonNegative,
} from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };

const timingFields = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

/** Errors of an action: exactly one of exec, httpGet and tcpSocket. */
function checkHandler(errors: FieldError[], handler: Handler, path: FieldPath): void {
  let count = 0;
  const isFirst = (name: string): boolean => {
    if (count === 0) {
      count += 1;
      return true;
    }
    errors.push(forbiddenField(path.child(name), 'may not specify more than 1 handler type'));
    return false;
  };
  if (handler.exec && isFirst('exec') && (handler.exec.command ?? []).length === 0) {
    errors.push(required(path.child('exec', 'command')));
  }
  if (handler.httpGet && isFirst('httpGet')) checkHttpGet(errors, handler.httpGet, path.child('httpGet'));
  if (handler.tcpSocket && isFirst('tcpSocket')) {
    checkPortNumberOrName(errors, handler.tcpSocket.port, path.child('tcpSocket', 'port'));
  }
  if (count === 0) errors.push(required(path, 'must specify a handler type'));
}

function checkHttpGet(errors: FieldError[], action: HTTPGetAction, path: FieldPath): void {
  if (!action.path) errors.push(required(path.child('path')));
  checkPortNumberOrName(errors, action.port, path.child('port'));
  const scheme = action.scheme ?? '';
  if (!allowed.httpScheme.includes(scheme)) {
    errors.push(notSupported(path.child('scheme'), scheme, allowed.httpScheme));
  }
  for (const header of action.httpHeaders ?? []) {
    reportInvalid(errors, path.child('httpHeaders'), header.name, isHttpHeaderName(header.name));
  }
}

function checkPortNumberOrName(errors: FieldError[], port: number | string, path: FieldPath): void {
  reportInvalid(
    errors,
    path,
    port,
    typeof port === 'string' ? isValidPortName(port) : isValidPortNumber(port),
  );
}

/** Errors of one probe. */
function checkProbe(errors: FieldError[], probe: Probe, path: FieldPath): void {
  checkHandler(errors, probe, path);
  for (const field of timingFields) {
    const value = probe[field];
    if (value !== undefined && value < 0) errors.push(...validateNonNegative(value, path.child(field)));
  }
}

/** Errors of one of a container's probes. Liveness and startup succeed at once or not at all. */
export function checkProbeOf(
  errors: FieldError[],
  container: Container,
  name: 'livenessProbe' | 'readinessProbe' | 'startupProbe',
  path: FieldPath,
): void {
  const probe = container[name];
  if (!probe) return;
  checkProbe(errors, probe, path.child(name));
  const successThreshold = probe.successThreshold ?? 0;
  if (name === 'readinessProbe' || successThreshold === 1) return;
  errors.push(invalidValue(path.child(name, 'successThreshold'), successThreshold, 'must be 1'));
}

/** Errors of the hooks that run after start and before stop. */
export function checkLifecycle(errors: FieldError[], lifecycle: Lifecycle, path: FieldPath): void {
  if (lifecycle.postStart) checkHandler(errors, lifecycle.postStart, path.child('postStart'));
  if (lifecycle.preStop) checkHandler(errors, lifecycle.preStop, path.child('preStop'));
}
