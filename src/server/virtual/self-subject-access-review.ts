import type { SelfSubjectAccessReview } from '../../apis/types/authorization-v1.ts';
import type { Authorizer } from '../authorization/index.ts';
import { attributesErrors, decide, metadataErrors, throwIfInvalid } from './access-question.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** POST to `selfsubjectaccessreviews`: may I do something? */
export function selfSubjectAccessReviewHandler(authorizer: Authorizer): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<SelfSubjectAccessReview>(exchange, endpoint);
    const { metadata, spec } = review;
    throwIfInvalid(
      [
        ...attributesErrors(spec, endpoint),
        ...metadataErrors(metadata, endpoint, { detail: 'must be empty', ignored: [] }),
      ],
      endpoint,
    );
    const status = await decide(authorizer, { user: exchange.user, asker: exchange }, spec);
    writeReview(exchange, endpoint, { ...review, status });
  };
}
