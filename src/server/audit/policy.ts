import type { UserInfo } from '../../apis/kind-rules.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** How much of a request is recorded; each level has what the ones before it have. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
/** One of `auditLevels`. */
export type AuditLevel = (typeof auditLevels)[number];

/** When an event of a request is recorded. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
/** One of `auditStages`. */
export type AuditStage = (typeof auditStages)[number];

/** Resources of a group; empty lists stand for all. */
export interface AuditedResources {
  readonly group: string;
  /** `pods`, `pods/log`, `pods/*`, any resource's status as `*` and `/status`, or `*`. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** A request that matches all lists of a rule gets its level; empty lists fit all requests. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly AuditedResources[];
  /** `''` stands for what is in no namespace. */
  readonly namespaces: readonly string[];
  /** Paths; a `*` at the end stands for any rest. */
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly string[];
}

/** Which requests are recorded, and how much of them: the first rule that fits decides. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  /** Stages of which no request has an event. */
  readonly omitStages: readonly string[];
}

/** What a policy says of one request. */
export interface AuditChoice {
  readonly level: AuditLevel;
  readonly omitsStage: (stage: AuditStage) => boolean;
}

/** Says which level and stages a request has; `user` is undefined before authentication. */
export type LevelChooser = (user: AuditedUser | undefined, info: RequestInfo) => AuditChoice;

type AuditedUser = Pick<UserInfo, 'name' | 'groups'>;

const nothing: AuditChoice = { level: 'None', omitsStage: () => true };

/** Level and stages of requests; level `None` where no rule matches. Source: release 1.20. */
export function createLevelChooser({ rules, omitStages }: AuditPolicy): LevelChooser {
  const choices = rules.map((rule): AuditChoice => {
    const omitted = new Set<string>([...omitStages, ...rule.omitStages]);
    return { level: rule.level, omitsStage: (stage) => omitted.has(stage) };
  });
  return (user, info) => {
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at];
      if (rule !== undefined && fits(rule, user, info)) return choices[at] ?? nothing;
    }
    return nothing;
  };
}

function fits(rule: AuditRule, user: AuditedUser | undefined, info: RequestInfo): boolean {
  if (rule.users.length > 0 && !rule.users.includes(user?.name ?? '')) return false;
  if (rule.userGroups.length > 0 && !user?.groups.some((group) => rule.userGroups.includes(group))) {
    return false;
  }
  if (rule.verbs.length > 0 && !rule.verbs.includes(info.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return fitsResource(rule, info);
  if (rule.nonResourceURLs.length === 0) return true;
  return !info.isResource && rule.nonResourceURLs.some((pattern) => fitsPath(pattern, info.path));
}

function fitsResource({ namespaces, resources }: AuditRule, info: RequestInfo): boolean {
  if (!info.isResource) return false;
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((candidate) => isAmong(candidate, info));
}

function isAmong({ group, resources, resourceNames }: AuditedResources, info: RequestInfo): boolean {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  const { resource, subresource } = info;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (name) =>
      name === '*' ||
      name === whole ||
      name === `${resource}/*` ||
      (subresource !== '' && name === `*/${subresource}`),
  );
}

const fitsPath = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
