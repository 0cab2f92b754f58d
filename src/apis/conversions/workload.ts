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
