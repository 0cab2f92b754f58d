/**
 * Rules of the node group: runtime classes, which name ways to run a pod.
 */
import { addAll } from '../../base/index.ts';
import { duplicate, type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import { checkResources, checkTolerations } from '../core/pod-spec/index.ts';
import type { KindRules, KindRulesTable, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { RuntimeClass } from '../types/node-v1beta1.ts';
import {
  isDns1123Label,
  nameIsDnsSubdomain,
  renderGo,
  validateImmutableField,
  validateLabels,
} from '../validation/index.ts';

const handlerPath = fieldPath('handler');

const runtimeClassRules: KindRules<RuntimeClass> = {
  validateName: nameIsDnsSubdomain,
  allowsAnyFinalizer: true,
  allowsUnconditionalUpdate: false,
  validate: validateRuntimeClass,
  validateUpdate: (runtimeClass, old) =>
    validateImmutableField(runtimeClass.handler, old.handler, handlerPath),
};

function validateRuntimeClass(runtimeClass: RuntimeClass, context: RuleContext): FieldError[] {
  const { handler, overhead, scheduling } = runtimeClass;
  const errors: FieldError[] = [];
  reportInvalid(errors, handlerPath, handler, isDns1123Label(handler));
  if (overhead !== undefined && context.gates.has('PodOverhead')) {
    checkResources(errors, { limits: overhead.podFixed }, fieldPath('overhead'), context);
  }
  if (scheduling !== undefined) validateScheduling(errors, scheduling, context);
  return errors;
}

function validateScheduling(
  errors: FieldError[],
  scheduling: NonNullable<RuntimeClass['scheduling']>,
  context: RuleContext,
): void {
  const path = fieldPath('scheduling');
  const tolerations = scheduling.tolerations ?? [];
  addAll(errors, validateLabels(scheduling.nodeSelector, path.child('nodeSelector')));
  // Release 1.20 names the list twice in the paths of these errors.
  const tolerationsPath = path.child('tolerations');
  checkTolerations(errors, tolerations, tolerationsPath.child('tolerations'), context);
  const seen = new Set<string>();
  for (const [at, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (!seen.has(identity)) {
      seen.add(identity);
      continue;
    }
    const shown = renderGo(toleration, 'v1.Toleration', context.catalog);
    errors.push(duplicate(tolerationsPath.index(at), shown));
  }
}

/** Rules of the node group's kinds. */
export const nodeGroupRules: KindRulesTable = { 'node.orch.io/v1beta1.RuntimeClass': runtimeClassRules };
