import type { Pod } from '../../../apis/types/core-v1.ts';
import { otherFailure, quoteGo } from '../../../machinery/errors/index.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { containersOf, podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/** Makes every pod pull its images, so that nobody runs an image without the right to it. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: onOperations('CREATE', 'UPDATE'),
    admit(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      for (const container of containersOf(pod)) container.imagePullPolicy = 'Always';
    },
    validate(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      // Only what ran later can have changed it: a webhook. Release 1.20 joins the refusals, which clients see as a failure.
      const refusals = otherPolicies(pod).map((problem) => refuse(attributes, problem).message);
      const [first] = refusals;
      if (first === undefined) return;
      throw otherFailure(500, '', refusals.length === 1 ? first : `[${refusals.join(', ')}]`);
    },
  };
}

/** What is wrong with the policies of a pod's containers, by their paths. */
function otherPolicies({ spec }: Pod): string[] {
  const { initContainers, containers, ephemeralContainers } = spec;
  return Object.entries({ initContainers, containers, ephemeralContainers }).flatMap(([field, list]) =>
    (list ?? []).flatMap(({ imagePullPolicy = '' }, at) =>
      imagePullPolicy === 'Always'
        ? []
        : [
            `spec.${field}[${at}].imagePullPolicy: Unsupported value: ${quoteGo(imagePullPolicy)}: supported values: "Always"`,
          ],
    ),
  );
}
