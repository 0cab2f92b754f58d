import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { PolicyRule } from '../../../apis/types/rbac-authorization-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import { nodeNameOf } from '../../authentication/index.ts';
import {
  type AuthorizationQuestion,
  type Authorizer,
  allowed,
  type Decision,
  noOpinion,
} from '../authorizer.ts';
import { ruleAllows } from '../policy-rules.ts';
import { type GrantedRules, noRules, type RuleResolver, unknownRules } from '../rule-resolver.ts';
import type { FollowedGraph } from './followed-graph.ts';

/** What decisions about agents are made from. */
export interface NodeAuthorizerOptions {
  readonly dialect: Dialect;
  /** What every agent may do; the rules of the role `system:node`. */
  readonly rules: readonly PolicyRule[];
  /** Which objects nodes reach. */
  readonly graph: Pick<FollowedGraph, 'refreshed'>;
  /** Feature gates that are on. */
  readonly gates: ReadonlySet<string>;
}

type Request = AuthorizationQuestion['request'];
type Decide = (node: string, request: Request) => Decision;

const refuse = (reason: string): Decision => ({ isAllowed: false, reason });

/**
 * Mode `Node`: what agents may do to the objects that pods on their node need, and to the lease and the CSINode of their
 * own. Source: "Using Node Authorization"; `plugin/pkg/auth/authorizer/node`.
 */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly #options: NodeAuthorizerOptions;
  /** By group and resource; all others are decided by the rules. */
  readonly #special: ReadonlyMap<string, Decide>;

  constructor(options: NodeAuthorizerOptions) {
    this.#options = options;
    const { dialect, graph } = options;
    const storage = dialect.group('storage');
    this.#special = new Map<string, Decide>([
      ['/secrets', (node, request) => this.#read(node, 'secret', request)],
      ['/configmaps', (node, request) => this.#read(node, 'configMap', request)],
      ['/persistentvolumeclaims', (node, request) => this.#claim(node, request)],
      [
        '/persistentvolumes',
        (node, request) => getOnly(node, request, () => graph.refreshed().reachesVolume(node, request.name)),
      ],
      [
        `${storage}/volumeattachments`,
        (node, request) =>
          getOnly(node, request, () => graph.refreshed().reachesAttachment(node, request.name)),
      ],
      ['/serviceaccounts', (node, request) => this.#createToken(node, request)],
      [`${dialect.group('coordination')}/leases`, (node, request) => this.#lease(node, request)],
      [`${storage}/csinodes`, csiNode],
    ]);
  }

  authorize({ user, request }: AuthorizationQuestion): Decision {
    const node = nodeNameOf(user);
    if (node === undefined) return noOpinion;
    if (node === '') return refuse(`unknown node for user ${quoteGo(user.name)}`);
    const special = request.isResource
      ? this.#special.get(`${request.group}/${request.resource}`)
      : undefined;
    if (special !== undefined) return special(node, request);
    return this.#options.rules.some((rule) => ruleAllows(rule, request)) ? allowed : noOpinion;
  }

  rulesFor(user: UserInfo, _namespace: string): GrantedRules {
    return nodeNameOf(user) === undefined
      ? noRules
      : unknownRules('node authorizer does not support user rule resolution');
  }

  #read(
    node: string,
    kind: 'secret' | 'configMap',
    { verb, namespace, name, subresource }: Request,
  ): Decision {
    if (!['get', 'list', 'watch'].includes(verb)) return refuse('can only read resources of this type');
    if (subresource !== '') return refuse('cannot read subresource');
    if (namespace === '') return refuse('can only read namespaced object of this type');
    return named(node, name, () => this.#options.graph.refreshed().reaches(node, kind, namespace, name));
  }

  #claim(node: string, request: Request): Decision {
    const { verb, namespace, name, subresource } = request;
    const reaches = () => this.#options.graph.refreshed().reaches(node, 'claim', namespace, name);
    if (subresource !== 'status' || !this.#options.gates.has('ExpandPersistentVolumes')) {
      return getOnly(node, request, reaches);
    }
    if (verb !== 'update' && verb !== 'patch') return refuse('can only get/update/patch this type');
    return named(node, name, reaches);
  }

  #createToken(node: string, { verb, namespace, name, subresource }: Request): Decision {
    if (verb !== 'create' || name === '') {
      return refuse('can only create tokens for individual service accounts');
    }
    if (subresource !== 'token') return refuse('can only create token subresource of serviceaccount');
    return named(node, name, () =>
      this.#options.graph.refreshed().reaches(node, 'serviceAccount', namespace, name),
    );
  }

  #lease(node: string, { verb, namespace, name }: Request): Decision {
    const { nodeLeaseNamespace } = this.#options.dialect;
    if (!ownVerbs.includes(verb))
      return refuse('can only get, create, update, patch, or delete a node lease');
    if (namespace !== nodeLeaseNamespace) {
      return refuse(`can only access leases in the ${quoteGo(nodeLeaseNamespace)} system namespace`);
    }
    // The name of what is created is not known yet; admission checks it.
    return verb === 'create' || name === node
      ? allowed
      : refuse('can only access node lease with the same name as the requesting node');
  }
}

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

function csiNode(node: string, { verb, name, subresource }: Request): Decision {
  if (!ownVerbs.includes(verb)) return refuse('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return refuse('cannot authorize CSINode subresources');
  return verb === 'create' || name === node
    ? allowed
    : refuse('can only access CSINode with the same name as the requesting node');
}

function getOnly(node: string, { verb, name, subresource }: Request, reaches: () => boolean): Decision {
  if (verb !== 'get') return refuse('can only get individual resources of this type');
  if (subresource !== '') return refuse('cannot get subresource');
  return named(node, name, reaches);
}

function named(node: string, name: string, reaches: () => boolean): Decision {
  if (name === '') return refuse('No Object name found');
  return reaches() ? allowed : refuse(`no relationship found between node '${node}' and this object`);
}
