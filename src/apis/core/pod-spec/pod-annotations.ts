import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  quoteGo,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { PodSpec, Toleration } from '../../types/core-v1.ts';
import { decodeGoJson, goListOf, goText } from '../../validation/index.ts';
import { podAnnotationNames } from './annotation-names.ts';
import { everyContainer } from './every-container.ts';
import { checkSeccompAnnotation, checkSeccompMatch } from './seccomp.ts';
import { checkTolerations } from './tolerations.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

/** Errors of annotations that mean something for pods. `path` is that of the annotations. */
export function checkPodAnnotations(
  errors: FieldError[],
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
  context: RuleContext,
): void {
  if (!annotations) return;
  const names = podAnnotationNames(context.dialect);
  const mirror = annotations[names.mirror];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalidValue(path.key(names.mirror), mirror, detail));
  }
  const tolerations = annotations[names.tolerations];
  if (tolerations) checkAnnotatedTolerations(errors, tolerations, path, context);
  const seccomp = annotations[names.seccompPod];
  if (seccomp !== undefined) checkSeccompAnnotation(errors, seccomp, path.child(names.seccompPod));
  for (const key in annotations) {
    if (!key.startsWith(names.seccompContainerPrefix)) continue;
    checkSeccompAnnotation(errors, annotations[key] ?? '', path.child(key));
  }
  checkAppArmor(errors, annotations, spec, { path, prefix: names.appArmorContainerPrefix });
}

function checkAnnotatedTolerations(
  errors: FieldError[],
  text: string,
  path: FieldPath,
  context: RuleContext,
): void {
  const name = podAnnotationNames(context.dialect).tolerations;
  const { value = [], problem } = decodeGoJson<Toleration[]>(text, tolerationsShape);
  if (problem !== undefined) errors.push(invalidValue(path, name, problem));
  else checkTolerations(errors, value, path.child(name), context);
}

const tolerationsShape = goListOf({
  json: 'object',
  go: 'core.Toleration',
  fields: {
    Key: goText(),
    Operator: goText('core.TolerationOperator'),
    Value: goText(),
    Effect: goText('core.TaintEffect'),
    TolerationSeconds: { json: 'number', go: 'int64' },
  },
});

function checkAppArmor(
  errors: FieldError[],
  annotations: Readonly<Record<string, string>>,
  spec: PodSpec,
  { path, prefix }: { readonly path: FieldPath; readonly prefix: string },
): void {
  const profiles = Object.entries(annotations).filter(([key]) => key.startsWith(prefix));
  // Each pod that is written comes by here, most of them without profiles.
  if (profiles.length === 0) return;
  const containers = new Set(everyContainer(spec).map(({ container: { name } }) => name));
  for (const [key, profile] of profiles) {
    const at = path.key(key);
    const container = key.slice(prefix.length);
    if (!containers.has(container)) errors.push(invalidValue(at, container, 'container not found'));
    const problem = describeAppArmorProfile(profile);
    if (problem !== undefined) errors.push(invalidValue(at, profile, problem));
  }
}

/** What is wrong with the name of an AppArmor profile; undefined when nothing is. */
export function describeAppArmorProfile(profile: string): string | undefined {
  const isKnown = profile === '' || profile === 'runtime/default' || profile === 'unconfined';
  if (isKnown || profile.startsWith('localhost/')) return undefined;
  return `invalid AppArmor profile name: ${quoteGo(profile)}`;
}

/** Errors of seccomp annotations that contradict the fields. `path` is the spec's. */
export function checkSeccompAgreement(
  errors: FieldError[],
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
  context: RuleContext,
): void {
  if (!annotations) return;
  const names = podAnnotationNames(context.dialect);
  const podProfile = spec.securityContext?.seccompProfile;
  const podAnnotation = annotations[names.seccompPod];
  if (podProfile && podAnnotation !== undefined) {
    checkSeccompMatch(errors, podAnnotation, podProfile, path.child('securityContext', 'seccompProfile'));
  }
  for (const { container, list, position } of everyContainer(spec)) {
    const profile = container.securityContext?.seccompProfile;
    const annotation = annotations[`${names.seccompContainerPrefix}${container.name}`];
    if (!profile || annotation === undefined) continue;
    const at = path.child(list).index(position).child('securityContext', 'seccompProfile');
    checkSeccompMatch(errors, annotation, profile, at);
  }
}

/** Errors of annotations that may not change once a pod exists. `path` is that of the annotations. */
export function checkPodAnnotationUpdates(
  errors: FieldError[],
  annotations: Annotations,
  old: Annotations,
  path: FieldPath,
  context: RuleContext,
): void {
  const names = podAnnotationNames(context.dialect);
  const kindOf = (key: string): string | undefined => {
    if (key.startsWith(names.appArmorContainerPrefix)) return 'AppArmor annotations';
    return key === names.mirror ? 'mirror pod annotation' : undefined;
  };
  for (const key in old) {
    if (annotations?.[key] === old[key]) continue;
    const kind = kindOf(key);
    if (kind) errors.push(forbiddenField(path.key(key), `may not remove or update ${kind}`));
  }
  for (const key in annotations) {
    if (old && Object.hasOwn(old, key)) continue;
    const kind = kindOf(key);
    if (kind) errors.push(forbiddenField(path.key(key), `may not add ${kind}`));
  }
}
