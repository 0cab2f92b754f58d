import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import { refuse } from '../refusal.ts';

/** Which of some classes is the default one. */
export interface DefaultClassQuestion {
  readonly classes: readonly ApiObject[];
  /** Annotations that mark it with the value `true`. */
  readonly annotations: readonly string[];
  /** How the message names several of them. */
  readonly plural: string;
}

/**
 * Name of the only default class; undefined when there is none.
 *
 * @throws StatusError 403 when there are several.
 */
export function findDefaultClass(
  attributes: AdmissionAttributes,
  { classes, annotations, plural }: DefaultClassQuestion,
): string | undefined {
  const marked = classes.filter(({ metadata }) =>
    annotations.some((name) => metadata.annotations?.[name] === 'true'),
  );
  if (marked.length > 1) {
    throw refuse(attributes, `Internal error occurred: ${marked.length} default ${plural} were found`);
  }
  return marked[0]?.metadata.name;
}
