import type { ApiObject } from '../../machinery/meta/index.ts';
import { DecodeError } from '../../machinery/schema/index.ts';
import type { VersionConversion } from './version-conversion.ts';

/** A number in `spec` that the stored version keeps as an annotation. */
interface AnnotatedNumber {
  /** Key of the annotation. */
  readonly annotation: string;
  /** Reads the number from a spec, which may be changed; undefined when there is none. */
  readonly take: (spec: Record<string, unknown>) => number | undefined;
  /** Writes the number into a spec. */
  readonly put: (spec: Record<string, unknown>, value: number) => void;
}

/** A conversion that moves a number between a spec and an annotation, as decimal text. */
function annotateNumber({ annotation, take, put }: AnnotatedNumber): VersionConversion {
  return {
    toStorage(object) {
      const { spec, ...rest } = withSpec(object);
      const stored = { ...spec };
      const value = take(stored);
      if (value === undefined) return { ...rest, spec: stored } as ApiObject; // all else is as it came
      const { annotations } = rest.metadata;
      const metadata = { ...rest.metadata, annotations: { ...annotations, [annotation]: String(value) } };
      return { ...rest, metadata, spec: stored } as ApiObject;
    },
    fromStorage(object) {
      const text = object.metadata.annotations?.[annotation];
      if (text === undefined) return object;
      if (!/^[+-]?\d{1,19}$/.test(text)) {
        throw new DecodeError(`metadata.annotations[${annotation}]: not an integer: ${JSON.stringify(text)}`);
      }
      const { spec, ...rest } = withSpec(object);
      const served = { ...spec };
      put(served, Number(text));
      const { [annotation]: _, ...annotations } = rest.metadata.annotations ?? {};
      const { annotations: __, ...metadata } = rest.metadata;
      const isBare = Object.keys(annotations).length === 0;
      return {
        ...rest,
        metadata: isBare ? metadata : { ...metadata, annotations },
        spec: served,
      } as ApiObject;
    },
  };
}

/** Workloads all have a spec. */
function withSpec(object: ApiObject): ApiObject & { spec: Record<string, unknown> } {
  return object as ApiObject & { spec: Record<string, unknown> };
}

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
  object.metadata.annotations = { ...annotations, [generationAnnotation]: String(BigInt(text)) };
  return object;
}
