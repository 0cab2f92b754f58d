import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { Container, ContainerPort } from '../../types/core-v1.ts';
import { isValidPortName, isValidPortNumber } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };

/** Errors of the ports of one container. */
export function checkContainerPorts(
  errors: FieldError[],
  ports: readonly ContainerPort[],
  path: FieldPath,
): void {
  const names = new Set<string>();
  for (const [position, port] of ports.entries()) checkPort(errors, port, path.index(position), names);
}

function checkPort(errors: FieldError[], port: ContainerPort, path: FieldPath, names: Set<string>): void {
  if (port.name) {
    const problems = isValidPortName(port.name);
    if (problems.length > 0) reportInvalid(errors, path.child('name'), port.name, problems);
    else if (names.has(port.name)) errors.push(duplicate(path.child('name'), port.name));
    else names.add(port.name);
  }
  if (port.containerPort === 0) errors.push(required(path.child('containerPort')));
  else checkNumber(errors, port.containerPort, path, 'containerPort');
  if (port.hostPort) checkNumber(errors, port.hostPort, path, 'hostPort');
  const protocol = port.protocol ?? '';
  if (protocol === '') errors.push(required(path.child('protocol')));
  else if (!allowed.protocol.includes(protocol)) {
    errors.push(notSupported(path.child('protocol'), protocol, allowed.protocol));
  }
}

function checkNumber(errors: FieldError[], value: number, path: FieldPath, field: string): void {
  reportInvalid(errors, path.child(field), value, isValidPortNumber(value));
}

/** Errors of containers that ask for the same port of the node. */
export function checkHostPortConflicts(
  errors: FieldError[],
  containers: readonly Container[],
  path: FieldPath,
): void {
  const taken = new Set<string>();
  for (const [containerPosition, container] of containers.entries()) {
    for (const [portPosition, port] of (container.ports ?? []).entries()) {
      if (!port.hostPort) continue;
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(key)) {
        const portPath = path.index(containerPosition).child('ports').index(portPosition);
        errors.push(duplicate(portPath.child('hostPort'), key));
      }
      taken.add(key);
    }
  }
}

/** Errors of ports that differ inside and outside although the pod uses the node's network. */
export function checkHostNetworkPorts(
  errors: FieldError[],
  containers: readonly Container[],
  path: FieldPath,
): void {
  for (const [containerPosition, container] of containers.entries()) {
    for (const [portPosition, port] of (container.ports ?? []).entries()) {
      if ((port.hostPort ?? 0) === port.containerPort) continue;
      const portPath = path
        .index(containerPosition)
        .child('ports')
        .index(portPosition)
        .child('containerPort');
      errors.push(
        invalidValue(portPath, port.containerPort, 'must match `hostPort` when `hostNetwork` is true'),
      );
    }
  }
}
