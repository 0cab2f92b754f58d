import type { ApiObject } from '../../machinery/meta/index.ts';
import { annotateNumber } from './field-annotation.ts';

const rollbackAnnotation = 'deprecated.deployment.rollback.to';
const generationAnnotation = 'deprecated.daemonset.template.generation';

/** Deployments of the first versions, in whose spec a client could ask for a rollback. */
export const rollbackConversion = annotateNumber({
  annotation: rollbackAnnotation,
  take(spec) {
    // A canonical field of type RollbackConfig.
    const { rollbackTo } = spec as { rollbackTo?: { revision?: number } };
    delete spec.rollbackTo;
    return rollbackTo === undefined ? undefined : (rollbackTo.revision ?? 0);
  },
  put(spec, revision) {
    spec.rollbackTo = { revision };
  },
});

/**
 * Daemon sets of the first version, which counted the changes of their template. A count of zero says nothing and
 * leaves no annotation.
 */
export const templateGenerationConversion = annotateNumber({
  annotation: generationAnnotation,
  take(spec) {
    const { templateGeneration } = spec as { templateGeneration?: number }; // a canonical int64
    delete spec.templateGeneration;
    return templateGeneration === 0 ? undefined : templateGeneration;
  },
  put(spec, generation) {
    spec.templateGeneration = generation;
  },
});

/** Daemon sets of later versions always say the count: release 1.20 has a field for it. What is no number is refused later. */
export function settleTemplateGeneration(object: ApiObject): ApiObject {
  const { annotations } = object.metadata;
  const text = annotations?.[generationAnnotation] ?? '0';
  if (!/^[+-]?\d{1,18}$/.test(text)) return object;
  object.metadata.annotations = { ...annotations, [generationAnnotation]: String(Number(text)) };
  return object;
}
