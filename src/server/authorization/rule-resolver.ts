import type { UserInfo } from '../../apis/kind-rules.ts';
import type { NonResourceRule, ResourceRule } from '../../apis/types/authorization-v1.ts';
import { joinProblems } from './authorizer.ts';

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

/** Rules of somebody who has none. */
export const noRules: GrantedRules = {
  resourceRules: [],
  nonResourceRules: [],
  isIncomplete: false,
  evaluationError: '',
};

/** For authorizers that cannot list their rules: nothing is known, and the client is told why. */
export const unknownRules = (problem: string): GrantedRules => ({
  ...noRules,
  isIncomplete: true,
  evaluationError: problem,
});

/** For servers where everybody may do everything. */
export const everyRule: RuleResolver = {
  rulesFor: () => ({
    ...noRules,
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  }),
};

/** All that any of the resolvers lists, in their order. */
export function chainRuleResolvers(resolvers: readonly RuleResolver[]): RuleResolver {
  return {
    async rulesFor(user, namespace) {
      const found = await Promise.all(resolvers.map((resolver) => resolver.rulesFor(user, namespace)));
      const problems = found.map(({ evaluationError }) => evaluationError).filter((text) => text !== '');
      return {
        resourceRules: found.flatMap(({ resourceRules }) => resourceRules),
        nonResourceRules: found.flatMap(({ nonResourceRules }) => nonResourceRules),
        isIncomplete: found.some(({ isIncomplete }) => isIncomplete),
        evaluationError: problems.length === 0 ? '' : joinProblems(problems),
      };
    },
  };
}
