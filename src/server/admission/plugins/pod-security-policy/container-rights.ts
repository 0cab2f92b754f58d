import type { Capabilities, SELinuxOptions } from '../../../../apis/types/core-v1.ts';
import type { PodSecurityPolicySpec, SELinuxStrategyOptions } from '../../../../apis/types/policy-v1beta1.ts';
import { goList } from '../../../../apis/validation/index.ts';
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  quoteGo,
  required,
  VerbatimValue,
} from '../../../../machinery/errors/index.ts';

/** What a policy says of SELinux labels. */
export interface SelinuxControl {
  /** The labels of pods that choose none. */
  readonly defaults: SELinuxOptions | undefined;
  check(path: FieldPath, options: SELinuxOptions | undefined): FieldError[];
}

/** Undefined for a rule that cannot be followed: one that is unknown or lacks its labels. */
export function createSelinuxControl({
  rule,
  seLinuxOptions: wanted,
}: SELinuxStrategyOptions): SelinuxControl | undefined {
  if (rule === 'RunAsAny') return { defaults: undefined, check: () => [] };
  if (rule !== 'MustRunAs' || wanted === undefined) return undefined;
  return {
    defaults: wanted,
    check(path, options) {
      if (options === undefined) return [required(path)];
      const differing = (['level', 'role', 'type', 'user'] as const).filter((field) => {
        const [expected, actual] = [wanted[field] ?? '', options[field] ?? ''];
        return expected !== actual && (field !== 'level' || !isSameLevel(expected, actual));
      });
      return differing.map((field) =>
        invalidValue(path.child(field), options[field] ?? '', `must be ${wanted[field] ?? ''}`),
      );
    },
  };
}

/** Levels `SENSITIVITY:CATEGORY,CATEGORY` whose categories are the same in another order are one. */
function isSameLevel(a: string, b: string): boolean {
  const normal = (level: string): string | undefined => {
    const [, sensitivity, categories] = /^([^:]*):(.*)$/s.exec(level) ?? [];
    return categories === undefined ? undefined : `${sensitivity}:${categories.split(',').sort().join()}`;
  };
  return normal(a) !== undefined && normal(a) === normal(b);
}

/** What a policy says of capabilities. */
export interface CapabilityControl {
  /** The capabilities of a container that asked for `given`: the same value when nothing is added. */
  complete(given: Capabilities | undefined): Capabilities | undefined;
  check(path: FieldPath, capabilities: Capabilities | undefined): FieldError[];
}

/** The control of a policy's lists of capabilities. */
export function createCapabilityControl({
  defaultAddCapabilities: defaults = [],
  requiredDropCapabilities: dropped = [],
  allowedCapabilities: allowed = [],
}: PodSecurityPolicySpec): CapabilityControl {
  return {
    complete(given) {
      const [add, drop] = [new Set(given?.add), new Set(given?.drop)];
      const allAdd = new Set([...defaults.filter((name) => !drop.has(name)), ...add]);
      const allDrop = new Set([...dropped, ...drop]);
      if (allAdd.size === add.size && allDrop.size === drop.size) return given;
      return {
        ...(allAdd.size > 0 && { add: [...allAdd].sort() }),
        ...(allDrop.size > 0 && { drop: [...allDrop].sort() }),
      };
    },
    check(path, capabilities) {
      if (capabilities === undefined) {
        if (defaults.length === 0 && dropped.length === 0) return [];
        return [invalidValue(path, undefined, 'required capabilities are not set on the securityContext')];
      }
      if (allowed.includes('*')) return [];
      const { add = [], drop = [] } = capabilities;
      const shown = new VerbatimValue(goList('core.Capability', drop.map(quoteGo)));
      return [
        ...add
          .filter((name) => !defaults.includes(name) && !allowed.includes(name))
          .map((name) => invalidValue(path.child('add'), name, 'capability may not be added')),
        ...dropped
          .filter((name) => !drop.includes(name))
          .map((name) =>
            invalidValue(path.child('drop'), shown, `${name} is required to be dropped but was not found`),
          ),
      ];
    },
  };
}
