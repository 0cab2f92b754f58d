import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { PolicyRule, Role, RoleBinding, RoleRef } from '../../../apis/types/rbac-authorization-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import { decodeStored, FollowedCache, type ResourceStore } from '../../../registry/index.ts';
import { type AuthorizationQuestion, type Authorizer, type Decision, joinProblems } from '../authorizer.ts';
import type { GrantedRules, RuleResolver } from '../rule-resolver.ts';
import { AccessIndex } from './access-index.ts';
import { resourceKey } from './compiled-rules.ts';

/** What role based access control is made from. */
export interface RbacOptions {
  readonly dialect: Dialect;
  /** The stores of roles and bindings, by resource; undefined until there are stores, when nothing is granted. */
  storeOf(
    resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings',
  ): ResourceStore | undefined;
}

/** Rules that a user has, and roles that are bound to the user and do not exist. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/** Role based access control: allows what roles say that are bound to the user. Writes count for the next request. */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly #options: RbacOptions;
  readonly #index = new AccessIndex();
  #caches: readonly FollowedCache[] | undefined;

  constructor(options: RbacOptions) {
    this.#options = options;
  }

  authorize({ user, request }: AuthorizationQuestion): Decision {
    this.#refresh();
    const key = resourceKey(request);
    let problems: string[] | undefined;
    for (const grant of this.#index.grantsOf(user, request.namespace)) {
      if (grant.rules === undefined) {
        problems ??= [];
        problems.push(this.#describeMissing(grant.binding.roleRef));
      } else if (grant.rules.allow(request, key)) {
        return grant.allowance;
      }
    }
    return { isAllowed: false, reason: problems === undefined ? '' : `RBAC: ${joinProblems(problems)}` };
  }

  /** What a user has everywhere, and in the namespace if one is given. */
  heldRules(user: UserInfo, namespace: string): HeldRules {
    this.#refresh();
    const rules: PolicyRule[] = [];
    const missing: RoleRef[] = [];
    for (const grant of this.#index.grantsOf(user, namespace)) {
      if (grant.rules === undefined) missing.push(grant.binding.roleRef);
      else rules.push(...grant.rules.rules);
    }
    return { rules, missing };
  }

  /** The rules of a role that a binding names; undefined when there is no such role. */
  rulesOf(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    this.#refresh();
    return this.#index.rulesOf(ref, namespace)?.rules;
  }

  rulesFor(user: UserInfo, namespace: string): GrantedRules {
    const { rules, missing } = this.heldRules(user, namespace);
    const problems = missing.map((ref) => this.#describeMissing(ref));
    return {
      resourceRules: rules.flatMap(({ verbs, apiGroups, resources, resourceNames }) => {
        if (!resources?.length) return [];
        return [{ verbs, apiGroups, resources, ...(resourceNames?.length ? { resourceNames } : {}) }];
      }),
      nonResourceRules: rules.flatMap(({ verbs, nonResourceURLs }) =>
        nonResourceURLs?.length ? [{ verbs, nonResourceURLs }] : [],
      ),
      isIncomplete: false,
      evaluationError: problems.length === 0 ? '' : joinProblems(problems),
    };
  }

  #describeMissing({ kind, name }: RoleRef): string {
    const group = this.#options.dialect.group('rbac.authorization');
    return `${kind.toLowerCase()}.${group} ${quoteGo(name)} not found`;
  }

  #refresh(): void {
    this.#caches ??= this.#follow();
    for (const cache of this.#caches ?? []) cache.refresh();
  }

  #follow(): readonly FollowedCache[] | undefined {
    const { storeOf } = this.#options;
    const [roles, clusterRoles] = [storeOf('roles'), storeOf('clusterroles')];
    const [bindings, clusterBindings] = [storeOf('rolebindings'), storeOf('clusterrolebindings')];
    if (!roles || !clusterRoles || !bindings || !clusterBindings) return undefined;
    return [
      ...[roles, clusterRoles].map((store) => this.#followRoles(store)),
      ...[bindings, clusterBindings].map((store) => this.#followBindings(store)),
    ];
  }

  #followRoles(store: ResourceStore): FollowedCache {
    return new FollowedCache(store, {
      put: (object) => {
        const { metadata, rules } = decodeStored<Role>(object);
        this.#index.setRole(metadata.namespace ?? '', metadata.name ?? '', rules ?? []);
      },
      remove: (object) => {
        const { metadata } = decodeStored(object);
        this.#index.setRole(metadata.namespace ?? '', metadata.name ?? '', undefined);
      },
    });
  }

  #followBindings(store: ResourceStore): FollowedCache {
    return new FollowedCache(store, {
      put: (object) => {
        const { metadata, roleRef, subjects = [] } = decodeStored<RoleBinding>(object);
        const { namespace = '', name = '' } = metadata;
        this.#index.setBinding(namespace, name, { namespace, name, roleRef, subjects });
      },
      remove: (object) => {
        const { namespace = '', name = '' } = decodeStored(object).metadata;
        this.#index.setBinding(namespace, name, undefined);
      },
    });
  }
}
