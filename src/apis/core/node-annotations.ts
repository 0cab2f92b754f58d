import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, type FieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { Taint } from '../types/core-v1.ts';
import { decodeGoJson, type GoShape, goListOf, goText } from '../validation/index.ts';
import { validateTaints } from './taints.ts';

/** Errors of a node's annotations that mean something: its taints in their older form, and the controllers to avoid. */
export function validateNodeAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  dialect: Dialect,
): FieldError[] {
  if (annotations === undefined) return [];
  const taintsKey = dialect.spell('scheduler.alpha.orch.io/taints');
  const avoidKey = dialect.spell('scheduler.alpha.orch.io/preferAvoidPods');
  const taints = annotations[taintsKey];
  const avoided = annotations[avoidKey];
  return [
    ...(taints ? validateAnnotatedTaints(taints, taintsKey, path) : []),
    ...(avoided ? validateAvoidPods(avoided, avoidKey, path) : []),
  ];
}

const taintsShape = goListOf({
  json: 'object',
  go: 'core.Taint',
  fields: {
    Key: goText(),
    Value: goText(),
    Effect: goText('core.TaintEffect'),
    TimeAdded: { json: 'any', go: 'v1.Time' },
  },
});

function validateAnnotatedTaints(text: string, key: string, path: FieldPath): FieldError[] {
  const { value: taints = [], problem } = decodeGoJson<Partial<Taint>[]>(text, taintsShape);
  if (problem !== undefined) return [invalidValue(path, key, problem)];
  return validateTaints(
    taints.map((taint) => ({ key: '', effect: '', ...taint })),
    path.child(key),
  );
}

const isTrue: GoShape = { json: 'bool', go: 'bool' };
const avoidShape: GoShape = {
  json: 'object',
  go: 'v1.AvoidPods',
  fields: {
    preferAvoidPods: goListOf({
      json: 'object',
      go: 'v1.PreferAvoidPodsEntry',
      fields: {
        podSignature: {
          json: 'object',
          go: 'v1.PodSignature',
          fields: {
            podController: {
              json: 'object',
              go: 'v1.OwnerReference',
              fields: {
                apiVersion: goText(),
                kind: goText(),
                name: goText(),
                uid: goText('types.UID'),
                controller: isTrue,
                blockOwnerDeletion: isTrue,
              },
            },
          },
        },
        evictionTime: { json: 'any', go: 'v1.Time' },
        reason: goText(),
        message: goText(),
      },
    }),
  },
};

interface AvoidPods {
  readonly preferAvoidPods?: readonly {
    readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
  }[];
}

function validateAvoidPods(text: string, key: string, path: FieldPath): FieldError[] {
  const { value, problem } = decodeGoJson<AvoidPods>(text, avoidShape);
  if (problem !== undefined) return [invalidValue(path.child('AvoidPods'), key, problem)];
  return (value?.preferAvoidPods ?? []).flatMap(({ podSignature }, at) => {
    const signaturePath = path.child(key).index(at).child('PodSignature');
    const controller = podSignature?.podController;
    if (controller === undefined) return [required(signaturePath)];
    if (controller.controller === true) return [];
    const flagPath = signaturePath.child('PodController', 'Controller');
    return [invalidValue(flagPath, false, 'must point to a controller')];
  });
}
