import type { SubjectAccessReview } from '../../apis/types/authorization-v1.ts';
import type { Authorizer } from '../authorization/index.ts';
import {
  attributesErrors,
  decide,
  groupsOf,
  metadataErrors,
  subjectErrors,
  subjectOf,
  throwIfInvalid,
} from './access-question.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** POST to `subjectaccessreviews`: may somebody do something? */
export function subjectAccessReviewHandler(authorizer: Authorizer): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<SubjectAccessReview>(exchange, endpoint);
    const { metadata, spec } = review;
    const groups = groupsOf(spec);
    throwIfInvalid(
      [
        ...attributesErrors(spec, endpoint),
        ...subjectErrors(spec, groups),
        ...metadataErrors(metadata, endpoint, { detail: 'must be empty', ignored: [] }),
      ],
      endpoint,
    );
    const status = await decide(authorizer, { user: subjectOf(spec, groups), asker: exchange }, spec);
    writeReview(exchange, endpoint, { ...review, status });
  };
}
