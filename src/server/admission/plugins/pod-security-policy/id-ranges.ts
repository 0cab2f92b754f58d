import type {
  FSGroupStrategyOptions,
  IDRange,
  RunAsUserStrategyOptions,
} from '../../../../apis/types/policy-v1beta1.ts';
import { goList } from '../../../../apis/validation/index.ts';
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  VerbatimValue,
} from '../../../../machinery/errors/index.ts';

/** What a policy says of the users that containers run as. */
export interface UserControl {
  /** The user of a container that names none. */
  readonly defaultUser: number | undefined;
  /** Whether containers that name none are marked as not being root. */
  readonly marksNonRoot: boolean;
  /** `path` is that of the security context. */
  check(path: FieldPath, user: number | undefined, isNonRoot: boolean | undefined): FieldError[];
}

/** What a policy says of one kind of groups. */
export interface GroupControl {
  /** The group of pods and containers that name none. */
  readonly defaultGroup: number | undefined;
  check(path: FieldPath, groups: readonly number[]): FieldError[];
}

/** Undefined for a rule that cannot be followed: one that is unknown or lacks its ranges. */
export function createUserControl({ rule, ranges }: RunAsUserStrategyOptions): UserControl | undefined {
  const [first] = ranges ?? [];
  if (rule === 'RunAsAny') return { defaultUser: undefined, marksNonRoot: false, check: () => [] };
  if (rule === 'MustRunAsNonRoot')
    return { defaultUser: undefined, marksNonRoot: true, check: nonRootErrors };
  if (rule !== 'MustRunAs' || ranges === undefined || first === undefined) return undefined;
  return {
    defaultUser: first.min,
    marksNonRoot: false,
    check(path, user) {
      if (user === undefined) return [required(path.child('runAsUser'))];
      if (isInside(user, ranges)) return [];
      return [invalidValue(path.child('runAsUser'), user, `must be in the ranges: ${show(ranges)}`)];
    },
  };
}

/** A container without a user is let through when it is marked: the agent looks at the user of the image. */
function nonRootErrors(
  path: FieldPath,
  user: number | undefined,
  isNonRoot: boolean | undefined,
): FieldError[] {
  if (isNonRoot === undefined && user === undefined) {
    return [required(path.child('runAsNonRoot'), 'must be true')];
  }
  if (isNonRoot === false) return [invalidValue(path.child('runAsNonRoot'), false, 'must be true')];
  if (user !== 0) return [];
  return [invalidValue(path.child('runAsUser'), user, 'running with the root UID is forbidden')];
}

/** As `createUserControl`. A policy that says nothing of a kind of groups allows all. */
export function createGroupControl(options: FSGroupStrategyOptions | undefined): GroupControl | undefined {
  const { rule = '', ranges = [] } = options ?? { rule: 'RunAsAny' };
  if (rule === 'RunAsAny') return { defaultGroup: undefined, check: () => [] };
  const [first] = ranges;
  const isRequired = rule === 'MustRunAs';
  if ((!isRequired && rule !== 'MayRunAs') || first === undefined) return undefined;
  return {
    defaultGroup: isRequired ? first.min : undefined,
    check(path, groups) {
      const shown = new VerbatimValue(goList('int64', groups.map(String)));
      if (isRequired && groups.length === 0) {
        return [invalidValue(path, shown, 'unable to validate empty groups against required ranges')];
      }
      return groups
        .filter((group) => !isInside(group, ranges))
        .map((group) => invalidValue(path, shown, `group ${group} must be in the ranges: ${show(ranges)}`));
    },
  };
}

const isInside = (id: number, ranges: readonly IDRange[]): boolean =>
  ranges.some(({ min, max }) => id >= min && id <= max);

const show = (ranges: readonly IDRange[]): string =>
  `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`;
