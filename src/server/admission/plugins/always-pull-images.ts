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
      for (const { imagePullPolicy } of containersOf(pod)) {
        // Only a plugin that ran later can have changed it.
        if (imagePullPolicy === 'Always') continue;
        throw refuse(
          attributes,
          `imagePullPolicy: Unsupported value: "${imagePullPolicy}": supported values: "Always"`,
        );
      }
    },
  };
}
