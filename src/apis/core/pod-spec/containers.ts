import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notFoundField,
  required,
} from '../../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../../machinery/schema/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid, requireOneOf } from '../../reporting.ts';
import type { Container, PodSpec } from '../../types/core-v1.ts';
import { isDns1123Label, renderGo } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkContainerPorts, checkHostPortConflicts } from './container-ports.ts';
import { checkContainerSecurity } from './container-security.ts';
import { checkEnv, checkEnvFrom } from './environment.ts';
import { checkLifecycle, checkProbeOf } from './probes.ts';
import { checkResources } from './resource-requirements.ts';
import { checkVolumeDevices, checkVolumeMounts, type VolumesByName } from './volume-mounts.ts';

/** What the checks of containers need beside the containers. */
export interface ContainerSurroundings {
  readonly volumes: VolumesByName;
  readonly context: RuleContext;
}

const messagePolicyText = "must be 'File' or 'FallbackToLogsOnError'";

/** Errors of the main containers of a pod; there must be one at least. */
export function checkContainers(
  errors: FieldError[],
  containers: readonly Container[],
  path: FieldPath,
  surroundings: ContainerSurroundings,
): void {
  if (containers.length === 0) {
    errors.push(required(path));
    return;
  }
  checkEach(errors, containers, path, surroundings);
  checkHostPortConflicts(errors, containers, path);
}

function checkEach(
  errors: FieldError[],
  containers: readonly Container[],
  path: FieldPath,
  surroundings: ContainerSurroundings,
): void {
  const names = new Set<string>();
  for (const [position, container] of containers.entries()) {
    const at = path.index(position);
    const { name } = container;
    if (name === '') errors.push(required(at.child('name')));
    else reportInvalid(errors, at.child('name'), name, isDns1123Label(name));
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    checkContainer(errors, container, at, surroundings);
  }
}

function checkContainer(
  errors: FieldError[],
  container: Container,
  path: FieldPath,
  { volumes, context }: ContainerSurroundings,
): void {
  const { lifecycle, ports, env, envFrom, volumeMounts, volumeDevices, securityContext } = container;
  if (!container.image) errors.push(required(path.child('image')));
  if (lifecycle) checkLifecycle(errors, lifecycle, path.child('lifecycle'));
  checkProbeOf(errors, container, 'livenessProbe', path);
  checkProbeOf(errors, container, 'startupProbe', path);
  checkMessagePolicy(errors, container.terminationMessagePolicy ?? '', path);
  checkProbeOf(errors, container, 'readinessProbe', path);
  if (ports) checkContainerPorts(errors, ports, path.child('ports'));
  if (env) checkEnv(errors, env, path.child('env'), context);
  if (envFrom) checkEnvFrom(errors, envFrom, path.child('envFrom'));
  if (volumeMounts) checkVolumeMounts(errors, container, volumes, path.child('volumeMounts'));
  if (volumeDevices) checkVolumeDevices(errors, container, volumes, path.child('volumeDevices'));
  requireOneOf(errors, path.child('imagePullPolicy'), container.imagePullPolicy, allowed.imagePullPolicy);
  checkResources(errors, container.resources, path.child('resources'), context);
  if (securityContext) {
    checkContainerSecurity(errors, securityContext, path.child('securityContext'), context);
  }
}

function checkMessagePolicy(errors: FieldError[], policy: string, path: FieldPath): void {
  if (policy === 'File' || policy === 'FallbackToLogsOnError') return;
  const at = path.child('terminationMessagePolicy');
  errors.push(policy === '' ? required(at, messagePolicyText) : invalidValue(at, policy, messagePolicyText));
}

/** Errors of the containers that run before the main ones, one after another. */
export function checkInitContainers(
  errors: FieldError[],
  containers: readonly Container[],
  others: readonly Container[],
  path: FieldPath,
  surroundings: ContainerSurroundings,
): void {
  checkEach(errors, containers, path, surroundings);
  for (const container of containers) checkHostPortConflicts(errors, [container], path);
  const { catalog } = surroundings.context;
  const names = new Set(others.map((container) => container.name));
  for (const [position, container] of containers.entries()) {
    const at = path.index(position);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    if (container.name !== '') names.add(container.name);
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      const value = container[field];
      if (!value) continue;
      const shown = renderGo(value, field === 'lifecycle' ? 'v1.Lifecycle' : 'v1.Probe', catalog);
      errors.push(invalidValue(at.child(field), shown, 'must not be set for init containers'));
    }
  }
}

/** Errors of images with white space around them; templates may have them for compatibility, pods may not. */
export function checkTrimmedImages(
  errors: FieldError[],
  containers: readonly Container[] | null | undefined,
  path: FieldPath,
): void {
  for (const [position, { image = '' }] of (containers ?? []).entries()) {
    if (image === image.trim()) continue;
    const detail = 'must not have leading or trailing whitespace';
    errors.push(invalidValue(path.index(position).child('image'), image, detail));
  }
}

/** Errors of the containers that were added to a running pod for debugging. */
export function checkEphemeralContainers(
  errors: FieldError[],
  spec: PodSpec,
  path: FieldPath,
  surroundings: ContainerSurroundings,
): void {
  const names = new Set<string>();
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    names.add(container.name);
  }
  for (const [position, container] of (spec.ephemeralContainers ?? []).entries()) {
    const at = path.index(position);
    const { targetContainerName = '', name } = container;
    if (targetContainerName !== '' && !names.has(targetContainerName)) {
      errors.push(notFoundField(at.child('targetContainerName'), targetContainerName));
    }
    if (name === '') {
      errors.push(required(at, 'ephemeralContainer requires a name'));
      continue;
    }
    // The list of one gives release 1.20's paths their extra `[0]`.
    checkContainers(errors, [container], at, surroundings);
    checkTrimmedImages(errors, [container], at);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    checkRefusedFields(errors, container, at);
  }
}

/** Ephemeral containers have no guarantees, so nothing that serves, schedules or secures may be set. */
function checkRefusedFields(errors: FieldError[], container: Container, path: FieldPath): void {
  for (const field of refusedInEphemeral) {
    const isSet =
      field === 'resources'
        ? isGiven(container.resources, 'limits') || isGiven(container.resources, 'requests')
        : isGiven(container, field);
    if (isSet) errors.push(forbiddenField(path.child(field), 'cannot be set for an Ephemeral Container'));
  }
}

/** In the order of release 1.20's own form of a container. */
const refusedInEphemeral = [
  'ports',
  'resources',
  'volumeDevices',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'securityContext',
] as const;

/** True for a field with a value, were it an empty list or map. */
const isGiven = <T extends object>(object: T, field: keyof T & string): boolean =>
  object[field] !== undefined || wasGivenEmpty(object, field);
