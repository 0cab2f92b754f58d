import type { SubjectAccessReview } from '../types/authorization-v1.ts';
import type { SubjectAccessReview as OlderReview } from '../types/authorization-v1beta1.ts';
import { convertKind } from './version-conversion.ts';

/**
 * Reviews of a subject's access in `authorization/v1beta1`, whose `group` later became `groups`. Reviews are not
 * stored: the version that all others convert through is `v1`. Local reviews have the same spec.
 */
export const accessReviewConversion = convertKind<OlderReview, SubjectAccessReview>({
  toStorage(object) {
    const { spec, ...rest } = object;
    const { group: groups, ...others } = spec;
    const review: SubjectAccessReview = { ...rest, spec: { ...others, groups } };
    return review;
  },
  fromStorage(object) {
    const { spec, ...rest } = object;
    const { groups: group, ...others } = spec;
    const review: OlderReview = { ...rest, spec: { ...others, group } };
    return review;
  },
});
