import type { AggregationRule, PolicyRule, RoleRef } from '../../../apis/types/rbac-authorization-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { forbidden, notFound } from '../../../machinery/errors/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
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

  /** @throws StatusError 403 for what is not held; 404 for a binding of a role that is not there. */
  admit(attributes: AdmissionAttributes): Promise<void> | void {
    const { resource, user, subresource } = attributes;
    if (resource.group !== this.#group || !resources.has(resource.resource)) return;
    if (subresource !== '' || user.groups.includes('system:masters')) return;
    // Looked at last: those of a repeated write are decoded then.
    const { object, oldObject } = attributes;
    if (object === undefined) return;
    if (oldObject !== undefined && changesOwnersOnly(object, oldObject)) return;
    return resource.resource.endsWith('roles')
      ? this.#checkRole(attributes, object)
      : this.#checkBinding(attributes, object);
  }

  async #checkRole(attributes: AdmissionAttributes, role: GrantingObject): Promise<void> {
    const { resource, name, requestName, namespace, user } = attributes;
    // Whoever may escalate roles of some names only must name the role in the request.
    if (await this.#mayDo(attributes, 'escalate', resource.resource, requestName)) return;
    this.#requireHeld(attributes, role.rules ?? []);
    if (role.aggregationRule === undefined) return;
    const { rules } = this.#options.rbac.heldRules(user, namespace);
    if (uncoveredRules(rules, everything).length === 0) return;
    throw forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }

  async #checkBinding(attributes: AdmissionAttributes, { roleRef }: GrantingObject): Promise<void> {
    if (roleRef === undefined) return; // validation refuses it
    if (await this.#mayDo(attributes, 'bind', resourceOf(roleRef), roleRef.name)) return;
    const rules = this.#options.rbac.rulesOf(roleRef, attributes.namespace);
    if (rules === undefined)
      throw notFound({ group: this.#group, resource: resourceOf(roleRef) }, roleRef.name);
    this.#requireHeld(attributes, rules);
  }

  async #mayDo(
    { user, namespace, request: asker }: AdmissionAttributes,
    verb: string,
    resource: string,
    name: string,
  ): Promise<boolean> {
    const request = {
      isResource: true,
      verb,
      group: this.#group,
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
    const { rules, problems } = this.#options.rbac.heldRules(user, namespace);
    const missing = uncoveredRules(rules, wanted);
    if (missing.length === 0) return;
    const who = `user ${JSON.stringify(user.name)} (groups=${quoteList(user.groups)})`;
    const head = `${who} is attempting to grant RBAC permissions not currently held`;
    const tail = problems.length === 0 ? '' : `; resolution errors: [${joinProblems(problems)}]`;
    throw forbidden(resource, name, `${head}:\n${describeRules(missing)}${tail}`);
  }
}

const resourceOf = ({ kind }: RoleRef): string => (kind === 'ClusterRole' ? 'clusterroles' : 'roles');
