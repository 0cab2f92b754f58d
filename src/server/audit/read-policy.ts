import type { Dialect } from '../../machinery/dialect.ts';
import {
  type AuditedResources,
  type AuditPolicy,
  type AuditRule,
  auditLevels,
  auditStages,
} from './policy.ts';

/** What is wrong with a policy, one sentence each. */
export class AuditPolicyError extends Error {
  readonly code = 'AUDIT_POLICY';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.name = 'AuditPolicyError';
    this.problems = problems;
  }
}

/** Level `Metadata` for every request: the policy when none is configured. */
export const metadataPolicy: AuditPolicy = {
  rules: [
    {
      level: 'Metadata',
      users: [],
      userGroups: [],
      verbs: [],
      resources: [],
      namespaces: [],
      nonResourceURLs: [],
      omitStages: [],
    },
  ],
  omitStages: [],
};

/** A policy file is small; what is larger is none. */
const maxRules = 10_000;

const policyFields = new Set(['apiVersion', 'kind', 'metadata', 'rules', 'omitStages']);
const ruleFields = new Set(Object.keys(metadataPolicy.rules[0] ?? {}));
const resourceFields = new Set(['group', 'resources', 'resourceNames']);

/**
 * Reads a policy (`kind: Policy` of the audit group) out of a parsed file. Unlike release 1.20 it refuses fields that
 * do not exist: a rule whose list is misspelled would record all requests.
 *
 * @throws AuditPolicyError with all that is wrong.
 */
export function readAuditPolicy(value: unknown, dialect: Dialect): AuditPolicy {
  const problems: string[] = [];
  const reader = new FieldReader(problems);
  const policy = reader.object(value, 'the policy', policyFields);
  const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${dialect.group('audit')}/${version}`);
  if (policy.kind !== 'Policy' || !versions.includes(String(policy.apiVersion))) {
    problems.push(`kind and apiVersion must be Policy and ${versions[0]}`);
  }
  const { rules } = policy;
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > maxRules) {
    problems.push(`rules: must be a list of 1 to ${maxRules} rules`);
  }
  const read = {
    rules: reader.list(rules).map((rule, index) => readRule(reader, rule, `rules[${index}]`)),
    omitStages: readStages(reader, policy.omitStages, 'omitStages'),
  };
  if (problems.length > 0) throw new AuditPolicyError(problems);
  return read;
}

function readRule(reader: FieldReader, value: unknown, at: string): AuditRule {
  const rule = reader.object(value, at, ruleFields);
  const level = auditLevels.find((known) => known === rule.level);
  if (level === undefined) reader.problems.push(`${at}.level: must be one of ${auditLevels.join(', ')}`);
  const read: AuditRule = {
    level: level ?? 'None',
    users: reader.texts(rule.users, `${at}.users`),
    userGroups: reader.texts(rule.userGroups, `${at}.userGroups`),
    verbs: reader.texts(rule.verbs, `${at}.verbs`),
    resources: reader
      .list(rule.resources)
      .map((resources, index) => readResources(reader, resources, `${at}.resources[${index}]`)),
    namespaces: reader.texts(rule.namespaces, `${at}.namespaces`),
    nonResourceURLs: reader.texts(rule.nonResourceURLs, `${at}.nonResourceURLs`),
    omitStages: readStages(reader, rule.omitStages, `${at}.omitStages`),
  };
  if (read.nonResourceURLs.length > 0 && read.resources.length + read.namespaces.length > 0) {
    reader.problems.push(`${at}: rules are of resources or of nonResourceURLs, not of both`);
  }
  for (const url of read.nonResourceURLs) {
    if (url !== '*' && !/^\/[^*]*\*?$/.test(url)) {
      reader.problems.push(
        `${at}.nonResourceURLs: ${JSON.stringify(url)} must begin with "/" and may have "*" at its end only`,
      );
    }
  }
  return read;
}

function readResources(reader: FieldReader, value: unknown, at: string): AuditedResources {
  const resources = reader.object(value, at, resourceFields);
  const { group = '' } = resources;
  if (typeof group !== 'string') reader.problems.push(`${at}.group: must be a text`);
  const read = {
    group: String(group),
    resources: reader.texts(resources.resources, `${at}.resources`),
    resourceNames: reader.texts(resources.resourceNames, `${at}.resourceNames`),
  };
  if (read.resourceNames.length > 0 && read.resources.length === 0) {
    reader.problems.push(`${at}.resourceNames: needs resources`);
  }
  return read;
}

function readStages(reader: FieldReader, value: unknown, at: string): readonly string[] {
  const stages = reader.texts(value, at);
  for (const stage of stages) {
    if (!auditStages.some((known) => known === stage)) {
      reader.problems.push(`${at}: ${JSON.stringify(stage)} is none of ${auditStages.join(', ')}`);
    }
  }
  return stages;
}

/** Reads typed fields of a parsed file, and collects errors about those of another type. */
class FieldReader {
  readonly problems: string[];

  constructor(problems: string[]) {
    this.problems = problems;
  }

  object(value: unknown, at: string, known: ReadonlySet<string>): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.problems.push(`${at}: must be an object`);
      return {};
    }
    for (const name of Object.keys(value)) {
      if (!known.has(name)) this.problems.push(`${at}: unknown field ${JSON.stringify(name)}`);
    }
    return value as Readonly<Record<string, unknown>>; // an object's fields are unknown by type
  }

  list(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value.slice(0, maxRules) : [];
  }

  texts(value: unknown, at: string): readonly string[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.problems.push(`${at}: must be a list of texts`);
    return [];
  }
}
