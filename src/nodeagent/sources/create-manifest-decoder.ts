import { createTypeCatalog } from '../../apis/catalog.ts';
import { podRulesTable } from '../../apis/core/index.ts';
import { createDefaulter } from '../../apis/defaults/index.ts';
import type { KindRules } from '../../apis/kind-rules.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { standardFinalizers, validateObjectMeta } from '../../apis/validation/index.ts';
import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import type { ManifestDecoder, ManifestDecoderOptions, ManifestOrigin } from './manifest-decoder.ts';
import { ManifestError } from './manifest-error.ts';
import { decodeTyped, parseManifest } from './parse-manifest.ts';
import { podAnnotationNames } from './pod-annotations.ts';
import { giveIdentity } from './static-identity.ts';

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

/** What checking takes. */
interface PodCheckOptions {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly gates: ReadonlySet<string>;
}

/** The agent itself vouches for what its node runs. */
const user = { name: '', uid: '', groups: [], extra: {} };

/** A uid becomes the name of a directory. */
const safeUid = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/;

/** Makes the check that a static pod must pass: the rules of a new pod on the API server, and a uid that can be a name. */
function createPodCheck(options: PodCheckOptions): (pod: Pod, nowMs: number) => void {
  // The table holds the rules of pods under this key.
  const rules = podRulesTable['v1.Pod'] as unknown as KindRules<Pod>;
  const finalizers = standardFinalizers(options.dialect);
  return (pod, nowMs) => {
    const metaRules = {
      isNamespaced: true,
      validateName: (name: string, isPrefix: boolean) => rules.validateName(name, isPrefix, pod),
      standardFinalizers: finalizers,
    };
    const now = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
    const errors = [
      ...validateObjectMeta(pod.metadata, metaRules, fieldPath('metadata')),
      ...uidErrors(pod),
      ...(rules.validate?.(pod, { ...options, now, user, allowsPrivileged: true }) ?? []),
    ];
    if (errors.length > 0) throw new ManifestError(`invalid pod: [${errors.join(' ')}]`, { isDecoded: true });
  };
}

function uidErrors({ metadata }: Pod): FieldError[] {
  const uid = metadata.uid ?? '';
  if (safeUid.test(uid)) return [];
  const detail = 'must be at most 128 letters, digits, ".", "_" or "-", with a letter or digit at both ends';
  return [invalidValue(fieldPath('metadata', 'uid'), uid, detail)];
}
