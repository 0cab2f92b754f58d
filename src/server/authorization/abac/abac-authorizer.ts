import type { UserInfo } from '../../../apis/kind-rules.ts';
import { type AuthorizationQuestion, type Authorizer, allowed, type Decision } from '../authorizer.ts';
import { type GrantedRules, noRules, type RuleResolver } from '../rule-resolver.ts';
import type { AbacPolicy } from './policy-file.ts';

const readVerbs = ['get', 'list', 'watch'];
const refused: Decision = { isAllowed: false, reason: 'No policy matched.' };

/** Mode `ABAC`: allows what a policy of the file allows. */
export class AbacAuthorizer implements Authorizer, RuleResolver {
  readonly #policies: readonly AbacPolicy[];

  constructor(policies: readonly AbacPolicy[]) {
    this.#policies = policies;
  }

  authorize({ user, request }: AuthorizationQuestion): Decision {
    const isRead = readVerbs.includes(request.verb);
    const policy = this.#policies.find(
      (candidate) =>
        fitsUser(candidate, user) &&
        (isRead || !candidate.isReadOnly) &&
        (request.isResource ? fitsResource(candidate, request) : fitsPath(candidate, request.path)),
    );
    return policy === undefined ? refused : allowed;
  }

  rulesFor(user: UserInfo, namespace: string): GrantedRules {
    const policies = this.#policies.filter(
      (policy) => fitsUser(policy, user) && fits(policy.namespace, namespace),
    );
    const verbsOf = ({ isReadOnly }: AbacPolicy): string[] => (isReadOnly ? readVerbs : ['*']);
    return {
      ...noRules,
      resourceRules: policies
        .filter(({ resource }) => resource !== '')
        .map((policy) => ({
          verbs: verbsOf(policy),
          apiGroups: [policy.apiGroup],
          resources: [policy.resource],
        })),
      nonResourceRules: policies
        .filter(({ nonResourcePath }) => nonResourcePath !== '')
        .map((policy) => ({ verbs: verbsOf(policy), nonResourceURLs: [policy.nonResourcePath] })),
    };
  }
}

/** Both user and group must fit where both are given; one of them must be. */
function fitsUser({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || fits(user, name)) && (group === '' || group === '*' || groups.includes(group));
}

const fitsResource = (
  policy: AbacPolicy,
  { namespace, resource, group }: AuthorizationQuestion['request'],
): boolean =>
  fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group);

function fitsPath({ nonResourcePath: pattern }: AbacPolicy, path: string): boolean {
  return fits(pattern, path) || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}

const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
