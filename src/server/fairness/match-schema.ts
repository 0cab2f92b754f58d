import type { UserInfo } from '../../apis/kind-rules.ts';
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../apis/types/flowcontrol-apiserver-v1beta1.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** Who asks for what. */
export interface FlowSubject {
  readonly user: Pick<UserInfo, 'name' | 'groups'>;
  readonly info: RequestInfo;
}

/** In the order in which schemas are tried: by precedence, then by name. */
export function compareSchemas(
  first: Pick<FlowSchema, 'metadata' | 'spec'>,
  second: Pick<FlowSchema, 'metadata' | 'spec'>,
): number {
  const byPrecedence = first.spec.matchingPrecedence - second.spec.matchingPrecedence;
  if (byPrecedence !== 0) return byPrecedence;
  return (first.metadata.name ?? '') < (second.metadata.name ?? '') ? -1 : 1;
}

/** The rules of a schema that are for a user. Source: apiserver, `util/flowcontrol/rule.go`, release 1.20. */
export const rulesForUser = (
  { rules }: FlowSchemaSpec,
  user: FlowSubject['user'],
): readonly PolicyRulesWithSubjects[] =>
  rules?.filter(({ subjects }) => subjects?.some((subject) => isUser(subject, user)) === true) ?? [];

/** Whether a rule is for what a request asks for, whoever asks. */
export function isForRequest(rule: PolicyRulesWithSubjects, info: RequestInfo): boolean {
  return info.isResource
    ? rule.resourceRules?.some((resource) => allowsResource(resource, info)) === true
    : rule.nonResourceRules?.some((path) => allowsPath(path, info)) === true;
}

function isUser({ kind, user, group, serviceAccount }: Subject, asker: FlowSubject['user']): boolean {
  if (kind === 'User') return user?.name === '*' || user?.name === asker.name;
  if (kind === 'Group') return group?.name === '*' || asker.groups.includes(group?.name ?? '');
  if (serviceAccount === undefined) return false;
  const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
  return serviceAccount.name === '*'
    ? asker.name.startsWith(prefix)
    : asker.name === prefix + serviceAccount.name;
}

function allowsResource(rule: ResourcePolicyRule, info: RequestInfo): boolean {
  const { verb, group, resource, subresource, namespace } = info;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, group) || !has(rule.resources, whole)) return false;
  return namespace === '' ? rule.clusterScope === true : has(rule.namespaces, namespace);
}

function allowsPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean {
  if (!has(verbs, verb)) return false;
  return (
    nonResourceURLs?.some(
      (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))),
    ) === true
  );
}

const has = (list: readonly string[] | null, text: string): boolean =>
  list?.some((item) => item === '*' || item === text) === true;
