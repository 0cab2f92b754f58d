import { podRulesTable } from '../../apis/core/index.ts';
import type { KindRules } from '../../apis/kind-rules.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { standardFinalizers, validateObjectMeta } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import { ManifestError } from './manifest-error.ts';

/** What checking takes. */
export interface PodCheckOptions {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly gates: ReadonlySet<string>;
}

/** The agent itself vouches for what its node runs. */
const user = { name: '', uid: '', groups: [], extra: {} };

/** A uid becomes the name of a directory. */
const safeUid = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/;

/** Makes the check that a static pod must pass: the rules of a new pod on the API server, and a uid that can be a name. */
export function createPodCheck(options: PodCheckOptions): (pod: Pod, nowMs: number) => void {
  // The table holds the rules of pods under this key.
  const rules = podRulesTable['v1.Pod'] as unknown as KindRules<Pod>;
  const metaRules = {
    isNamespaced: true,
    validateName: rules.validateName,
    standardFinalizers: standardFinalizers(options.dialect),
  };
  return (pod, nowMs) => {
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
