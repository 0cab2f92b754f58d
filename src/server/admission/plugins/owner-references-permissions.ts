import { deepEqual } from '../../../apis/validation/index.ts';
import type { OwnerReference } from '../../../machinery/meta/index.ts';
import { type GroupVersionKind, parseGroupVersion } from '../../../machinery/schema/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../../authorization/index.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';

/** A resource whose objects an owner reference may name. */
export interface OwnerResource {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** What the check of owner references needs. */
export interface OwnerReferencesOptions {
  readonly authorizer: Authorizer;
  /** The resource of a kind; undefined for one that is not served. */
  readonly resourceOf: (kind: GroupVersionKind) => OwnerResource | undefined;
}

type Request = AuthorizationQuestion['request'];

const anything: Request = {
  isResource: true,
  verb: 'update',
  group: '*',
  version: '*',
  namespace: '',
  resource: '*',
  subresource: 'finalizers',
  name: '*',
  path: '',
};

/**
 * OwnerReferencesPermissionEnforcement: who gives an object an owner may delete it; and who has an owner wait for it may
 * update the finalizers of that owner. Source: "Using Admission Controllers"; `plugin/pkg/admission/gc`.
 */
export function ownerReferencesPermissions({
  authorizer,
  resourceOf,
}: OwnerReferencesOptions): AdmissionPlugin {
  const ask = async (
    { user, request }: AdmissionAttributes,
    question: Request,
  ): Promise<string | undefined> => {
    const decision = await authorizer.authorize({ user, request: question, asker: request });
    const { isAllowed, reason, error = '<nil>' } = decision;
    return isAllowed ? undefined : `${reason}, ${error}`;
  };
  const requireFinalizers = async (attributes: AdmissionAttributes, owner: OwnerReference): Promise<void> => {
    const { group = '', version = '' } = parseGroupVersion(owner.apiVersion) ?? {};
    const found = resourceOf({ group, version, kind: owner.kind });
    if (found === undefined) {
      const kind = `APIVersion ${owner.apiVersion} Kind ${owner.kind}`;
      const text = `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ${kind}`;
      throw refuse(
        attributes,
        `${text}: no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`,
      );
    }
    const { resource, namespaced } = found;
    const namespace = namespaced ? attributes.namespace : '';
    const question = { ...anything, group, version, namespace, resource, name: owner.name };
    const refusal = await ask(attributes, question);
    if (refusal === undefined) return;
    const text =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    throw refuse(attributes, `${text}: ${refusal}`);
  };
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: onOperations('CREATE', 'UPDATE'),
    async validate(attributes) {
      const { resource, subresource, namespace, requestName, object, oldObject, forms, kind } = attributes;
      // The strategy of this subresource keeps owners as they are.
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
      const [owners, before] = [object?.metadata.ownerReferences, oldObject?.metadata.ownerReferences];
      if (deepEqual(owners ?? [], before ?? [])) return;
      const name = requestName || (object?.metadata.name ?? '');
      const { group, version } = forms?.requested ?? { group: resource.group, version: kind.version };
      const asked = { group, version, resource: resource.resource, subresource, namespace, name };
      const refusal = await ask(attributes, { ...anything, verb: 'delete', ...asked });
      if (refusal !== undefined) {
        throw refuse(attributes, `cannot set an ownerRef on a resource you can't delete: ${refusal}`);
      }
      const blocking = newBlockingOwners(owners ?? [], before ?? []);
      if (blocking.length === 0 || (await ask(attributes, anything)) === undefined) return;
      for (const owner of blocking) await requireFinalizers(attributes, owner);
    },
  };
}

/** Owners that shall wait for the object now and were not asked to before. */
function newBlockingOwners(
  owners: readonly OwnerReference[],
  before: readonly OwnerReference[],
): OwnerReference[] {
  const blocked = new Set(
    before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid),
  );
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !blocked.has(uid));
}
