import type { UserInfo } from '../../apis/kind-rules.ts';
import type {
  NonResourceRule,
  ResourceRule,
  SelfSubjectRulesReview,
  SubjectRulesReviewStatus,
} from '../../apis/types/authorization-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** What a user may do in a namespace and with paths. */
export interface GrantedRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** True when there may be more than what is listed. */
  readonly isIncomplete: boolean;
  /** What went wrong on the way; '' for nothing. */
  readonly evaluationError: string;
}

/** Lists what a user may do; each authorizer that knows its rules is one. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): GrantedRules | Promise<GrantedRules>;
}

/** For authorizers that cannot list their rules: nothing is known, and the client is told so. */
export const unknownRules: RuleResolver = {
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], isIncomplete: true, evaluationError: '' }),
};

/** For servers where everybody may do everything. */
export const everyRule: RuleResolver = {
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    isIncomplete: false,
    evaluationError: '',
  }),
};

/** All that any of the resolvers lists, in their order. */
export function chainRuleResolvers(resolvers: readonly RuleResolver[]): RuleResolver {
  return {
    async rulesFor(user, namespace) {
      const found = await Promise.all(resolvers.map((resolver) => resolver.rulesFor(user, namespace)));
      return {
        resourceRules: found.flatMap(({ resourceRules }) => resourceRules),
        nonResourceRules: found.flatMap(({ nonResourceRules }) => nonResourceRules),
        isIncomplete: found.some(({ isIncomplete }) => isIncomplete),
        evaluationError: found
          .map(({ evaluationError }) => evaluationError)
          .filter((text) => text !== '')
          .join(', '),
      };
    },
  };
}

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
