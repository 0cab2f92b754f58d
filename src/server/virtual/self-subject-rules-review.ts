import type { SelfSubjectRulesReview, SubjectRulesReviewStatus } from '../../apis/types/authorization-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { RuleResolver } from '../authorization/index.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** POST to `selfsubjectrulesreviews`: what may I do? The answer does not repeat the question. */
export function selfSubjectRulesReviewHandler(resolver: RuleResolver): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<SelfSubjectRulesReview>(exchange, endpoint);
    const { namespace = '' } = review.spec;
    if (namespace === '') throw badRequest('no namespace on request');
    const found = await resolver.rulesFor(exchange.user, namespace);
    const status: SubjectRulesReviewStatus = {
      resourceRules: [...found.resourceRules],
      nonResourceRules: [...found.nonResourceRules],
      incomplete: found.isIncomplete,
      ...(found.evaluationError === '' ? {} : { evaluationError: found.evaluationError }),
    };
    const { kind, apiVersion } = review;
    writeReview(exchange, endpoint, { kind, apiVersion, metadata: {}, spec: {}, status });
  };
}
