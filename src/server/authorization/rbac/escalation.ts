import type { AggregationRule, PolicyRule, RoleRef } from '../../../apis/types/rbac-authorization-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import {
  badRequest,
  forbidden,
  notFound,
  otherFailure,
  quoteGo,
  type StatusError,
} from '../../../machinery/errors/index.ts';
import { isPathSegmentName } from '../../../machinery/formats/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { GroupResource } from '../../../machinery/schema/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import { type AdmissionPlugin, changesOwnersOnly, onOperations } from '../../admission/index.ts';
import { type Authorizer, joinProblems } from '../authorizer.ts';
import { describeRules, quoteList, uncoveredRules } from '../policy-rules.ts';
import type { RbacAuthorizer } from './rbac-authorizer.ts';

/** What the check of grants needs. */
export interface EscalationOptions {
  readonly dialect: Dialect;
  readonly rbac: Pick<RbacAuthorizer, 'heldRules' | 'rulesOf'>;
  /** All that decides, for the verbs that allow more. */
  readonly authorizer: Authorizer;
}

/** A role or a binding. */
interface GrantingObject extends ApiObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: AggregationRule | undefined;
  readonly roleRef?: RoleRef;
}

const resources = new Set(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']);
const roleKinds: Readonly<Record<string, string | undefined>> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
};
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Nobody gives away, by a role or by binding one, what they do not have themselves, unless they may `escalate` the role
 * or `bind` it. It runs in every mode, after plugins that change the object. Source: "Using RBAC Authorization",
 * privilege escalation prevention.
 */
export class EscalationCheck implements AdmissionPlugin {
  static readonly pluginName = 'RbacEscalationCheck';
  readonly name = EscalationCheck.pluginName;
  readonly handles = onOperations('CREATE', 'UPDATE');
  readonly #options: EscalationOptions;
  readonly #group: string;

  constructor(options: EscalationOptions) {
    this.#options = options;
    this.#group = options.dialect.group('rbac.authorization');
  }

  /**
   * @throws StatusError 403 for what is not held; 404 for a binding of a role that is not there; 400 and 500 for one that
   *   names no role, or something else. Validation, which would refuse those too, comes later.
   */
  admit(attributes: AdmissionAttributes): Promise<void> | void {
    const { resource, user, subresource } = attributes;
    if (resource.group !== this.#group || !resources.has(resource.resource)) return;
    if (subresource !== '' || user.groups.includes('system:masters')) return;
    // Looked at last: those of a repeated write are decoded then.
    const { object, oldObject } = attributes;
    if (object === undefined) return;
    if (oldObject !== undefined && changesOwnersOnly(object, oldObject)) return;
    if (!resource.resource.endsWith('roles')) return this.#checkBinding(attributes, object);
    return this.#checkRole(attributes, object, aggregates(object) || aggregates(oldObject));
  }

  /** Rules that are or were gathered from other roles are for those who hold everything: others could end the gathering. */
  async #checkRole(
    attributes: AdmissionAttributes,
    role: GrantingObject,
    isGathered: boolean,
  ): Promise<void> {
    const { resource, name, requestName, namespace, user } = attributes;
    // Whoever may escalate roles of some names only must name the role in the request.
    const place = { group: this.#group, resource: resource.resource };
    if (await this.#mayDo(attributes, 'escalate', place, requestName)) return;
    this.#requireHeld(attributes, role.rules ?? []);
    if (!isGathered) return;
    const { rules } = this.#options.rbac.heldRules(user, namespace);
    if (uncoveredRules(rules, everything).length === 0) return;
    throw forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }

  async #checkBinding(attributes: AdmissionAttributes, { roleRef }: GrantingObject): Promise<void> {
    const { kind = '', name = '', apiGroup = this.#group } = roleRef ?? {};
    const resource = roleKinds[kind];
    if (resource === undefined)
      throw otherFailure(500, '', `unsupported role reference kind: ${quoteGo(kind)}`);
    if (await this.#mayDo(attributes, 'bind', { group: apiGroup, resource }, name)) return;
    if (kind === 'Role' && attributes.namespace === '') throw badRequest('Namespace parameter required.');
    const rules = this.#options.rbac.rulesOf({ kind, name, apiGroup }, attributes.namespace);
    if (rules === undefined) throw this.#noRole(resource, name);
    this.#requireHeld(attributes, rules);
  }

  /** Roles of bindings are looked up as those of requests are. */
  #noRole(resource: string, name: string): StatusError {
    if (name === '') return badRequest('Name parameter required.');
    const problems = isPathSegmentName(name);
    if (problems.length > 0)
      return badRequest(`Name parameter invalid: ${quoteGo(name)}: ${problems.join(';')}`);
    return notFound({ group: this.#group, resource }, name);
  }

  async #mayDo(
    { user, namespace, request: asker }: AdmissionAttributes,
    verb: string,
    { group, resource }: GroupResource,
    name: string,
  ): Promise<boolean> {
    const request = {
      isResource: true,
      verb,
      group,
      version: '*',
      namespace,
      resource,
      subresource: '',
      name,
      path: '',
    };
    return (await this.#options.authorizer.authorize({ user, request, asker })).isAllowed;
  }

  #requireHeld(
    { user, namespace, resource, name }: AdmissionAttributes,
    wanted: readonly PolicyRule[],
  ): void {
    const { rules, missing: absent } = this.#options.rbac.heldRules(user, namespace);
    const missing = uncoveredRules(rules, wanted);
    if (missing.length === 0) return;
    const who = `user ${JSON.stringify(user.name)} (groups=${quoteList(user.groups)})`;
    const head = `${who} is attempting to grant RBAC permissions not currently held`;
    const problems = absent.map(({ kind, name }) => this.#noRole(roleKinds[kind] ?? '', name).message);
    const tail = problems.length === 0 ? '' : `; resolution errors: [${joinProblems(problems)}]`;
    throw forbidden(resource, name, `${head}:\n${describeRules(missing)}${tail}`);
  }
}

const aggregates = (role: GrantingObject | undefined): boolean =>
  (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
