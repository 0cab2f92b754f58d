import { type BootstrapObject, bootstrapObjects } from '../../../../../src/apis/bootstrap/index.ts';
import { createResourceTable } from '../../../../../src/apis/resources/index.ts';
import type { PolicyRule, RoleBinding } from '../../../../../src/apis/types/rbac-authorization-v1.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../../src/machinery/meta/index.ts';
import type { ResourceStore } from '../../../../../src/registry/index.ts';
import { RbacAuthorizer } from '../../../../../src/server/authorization/rbac/index.ts';

/** All resources and subresources of release 1.20. */
export const table = createResourceTable({ dialect: orchDialect });

/** The roles and bindings that every server has. */
export const accessObjects: readonly BootstrapObject[] = bootstrapObjects({
  table,
  securePort: 6443,
  advertiseAddresses: ['192.0.2.1'],
  firstServiceIp: '10.0.0.1',
  clientCa: '',
  now: '2021-01-01T00:00:00Z',
}).filter(({ resource }) => resource.group === orchDialect.group('rbac.authorization'));

/** Rules of a role; those of aggregated ones are made by a controller. */
export const rulesOf = (object: ApiObject): readonly PolicyRule[] =>
  (object as ApiObject & { readonly rules?: readonly PolicyRule[] }).rules ?? [];

/** Role based access control over these objects and more bindings. */
export function authorizerOver(objects: readonly (readonly [resource: string, ApiObject])[]): RbacAuthorizer {
  return new RbacAuthorizer({
    dialect: orchDialect,
    storeOf(wanted) {
      const found = objects.flatMap(([resource, object], at) =>
        resource === wanted ? [{ key: String(at), decode: () => object }] : [],
      );
      const byKey = new Map(found.map((object) => [object.key, object]));
      // What is followed of a store.
      return { cache: { lastChange: 1, windowStart: 0, objects: byKey } } as unknown as ResourceStore;
    },
  });
}

/** A binding of a cluster role to a user, everywhere. */
export const bindEverywhere = (role: string, user: string): RoleBinding => ({
  kind: 'ClusterRoleBinding',
  apiVersion: 'rbac.authorization.orch.io/v1',
  metadata: { name: `to ${user}` },
  roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: user }],
});
