import { posix } from 'node:path';
import { podAnnotationNames, seccompProfileFor } from '../../apis/core/pod-spec/index.ts';
import type { Container, Pod, SeccompProfile } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { SecurityProfile } from '../runtime/index.ts';
import { ContainerConfigError } from './config-error.ts';

const localhost = 'localhost/';

/** Where `localhost` seccomp profiles are found. */
export interface SeccompOptions {
  /** Absolute folder of profiles. */
  readonly profileRoot: string;
  readonly dialect: Dialect;
}

/**
 * The seccomp profile of a container; undefined when nothing says one. The container's field comes first, then its
 * annotation, then the pod's field and annotation.
 *
 * @throws ContainerConfigError for an annotation that names no profile.
 */
export function seccompProfile(
  { metadata, spec }: Pod,
  { name, securityContext }: Container,
  { profileRoot, dialect }: SeccompOptions,
): SecurityProfile | undefined {
  const names = podAnnotationNames(dialect);
  const own = securityContext?.seccompProfile;
  if (own) return readField(own, profileRoot);
  const ownAnnotation = ownValue(metadata.annotations, names.seccompContainerPrefix + name);
  if (ownAnnotation !== undefined) return readSeccompAnnotation(ownAnnotation, profileRoot);
  const shared = spec.securityContext?.seccompProfile;
  if (shared) return readField(shared, profileRoot);
  const annotation = ownValue(metadata.annotations, names.seccompPod);
  return annotation === undefined ? undefined : readSeccompAnnotation(annotation, profileRoot);
}

/**
 * The AppArmor profile of a container; undefined when nothing says one.
 *
 * @throws ContainerConfigError for an annotation that names no profile.
 */
export function apparmorProfile(
  pod: Pod,
  container: Container,
  dialect: Dialect,
): SecurityProfile | undefined {
  const key = podAnnotationNames(dialect).appArmorContainerPrefix + container.name;
  const text = ownValue(pod.metadata.annotations, key) ?? '';
  return text === '' ? undefined : readApparmorAnnotation(text);
}

function readField(
  { type, localhostProfile = '' }: SeccompProfile,
  root: string,
): SecurityProfile | undefined {
  if (type === 'RuntimeDefault') return { kind: 'runtime-default' };
  if (type === 'Unconfined') return { kind: 'unconfined' };
  if (type !== 'Localhost' || localhostProfile === '') return undefined;
  return { kind: 'localhost', reference: joinBelow(root, localhostProfile) };
}

function readSeccompAnnotation(text: string, root: string): SecurityProfile {
  const field = seccompProfileFor(text);
  const profile = field && readField(field, root);
  if (profile === undefined) throw new ContainerConfigError(`invalid seccomp profile ${quoteGo(text)}`);
  return profile;
}

function readApparmorAnnotation(text: string): SecurityProfile {
  if (text === 'runtime/default') return { kind: 'runtime-default' };
  if (text === 'unconfined') return { kind: 'unconfined' };
  if (text.startsWith(localhost)) return { kind: 'localhost', reference: text.slice(localhost.length) };
  throw new ContainerConfigError(`invalid AppArmor profile name: ${quoteGo(text)}`);
}

/** Profiles are files below the folder, whatever the name says. */
function joinBelow(root: string, name: string): string {
  if (name.split('/').includes('..')) {
    throw new ContainerConfigError(`invalid seccomp profile ${quoteGo(name)}: must not contain '..'`);
  }
  return posix.join(root, name);
}
