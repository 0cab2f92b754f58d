import { createTypeCatalog } from '../../apis/catalog.ts';
import { createDefaulter } from '../../apis/defaults/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { isJsonObject } from '../../base/index.ts';
import type { ManifestDecoder, ManifestDecoderOptions, ManifestOrigin } from './manifest-decoder.ts';
import { ManifestError } from './manifest-error.ts';
import { decodeTyped, parseManifest } from './parse-manifest.ts';
import { podAnnotationNames } from './pod-annotations.ts';
import { giveIdentity } from './static-identity.ts';
import { createPodCheck } from './validate-manifest.ts';

/** Makes a decoder, with types and rules of its own. */
export function createManifestDecoder(options: ManifestDecoderOptions): ManifestDecoder {
  const { dialect, nodeName, gates } = options;
  const catalog = createTypeCatalog(dialect);
  const applyDefaults = createDefaulter({ dialect, catalog, gates });
  const checkPod = createPodCheck({ dialect, catalog, gates });
  const podType = catalog.type('v1.Pod');
  // A canonical value of the type `v1.Pod` is what the interface describes.
  const canonical = (pod: Pod): Pod => podType.canonicalize(pod) as unknown as Pod;

  // Decoded as `v1.Pod`, which the interface describes.
  const decodePod = (value: unknown): Pod =>
    decodeTyped(value, 'Pod', { catalog, dialect }) as unknown as Pod;
  const finish = (pod: Pod, origin: ManifestOrigin, nowMs: number): Pod => {
    giveIdentity(pod, { origin, nodeName, dialect, nowMs }, (unnamed) => applyDefaults('v1.Pod', unnamed));
    checkPod(pod, nowMs);
    return canonical(pod);
  };
  return {
    annotations: podAnnotationNames(dialect),
    decodePod(bytes, origin, nowMs) {
      return finish(decodePod(parseManifest(bytes)), origin, nowMs);
    },
    decodePods(bytes, origin, nowMs) {
      const value = parseManifest(bytes);
      if (!isPodList(value)) return [finish(decodePod(value), origin, nowMs)];
      const list = decodeTyped(value, 'PodList', { catalog, dialect });
      // Decoded as `v1.PodList`; canonical lists without items are null.
      const items = (list as unknown as { items: Pod[] | null }).items ?? [];
      return items.map((pod) => finish({ ...pod, apiVersion: 'v1', kind: 'Pod' }, origin, nowMs));
    },
    restorePod(bytes) {
      const pod = decodePod(parseManifest(bytes));
      if (pod.spec.nodeName !== nodeName) {
        throw new ManifestError(`pod of another node: ${JSON.stringify(pod.spec.nodeName ?? '')}`, {
          isDecoded: true,
        });
      }
      checkPod(pod, 0);
      return pod;
    },
  };
}

function isPodList(value: unknown): boolean {
  return isJsonObject(value) && value.kind === 'PodList';
}
