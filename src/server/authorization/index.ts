/**
 * Who may do what: authorizers of all modes, each a decision of user and request, and their chain. What they decide from
 * is in memory; only webhooks are waited for.
 */
export { AbacAuthorizer } from './abac/abac-authorizer.ts';
export { readAbacPolicies } from './abac/policy-file.ts';
export {
  type AuthorizationQuestion,
  type Authorizer,
  allowed,
  alwaysAllow,
  alwaysDeny,
  authorizersFor,
  type Decision,
  joinProblems,
  noOpinion,
} from './authorizer.ts';
export { FollowedGraph } from './node/followed-graph.ts';
export { NodeAuthorizer, type NodeAuthorizerOptions } from './node/node-authorizer.ts';
export {
  chainRuleResolvers,
  everyRule,
  type GrantedRules,
  noRules,
  type RuleResolver,
  unknownRules,
} from './rule-resolver.ts';
export { AccessWebhook, type AccessWebhookOptions } from './webhook/access-webhook.ts';
