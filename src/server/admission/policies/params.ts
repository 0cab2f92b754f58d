import type { ParamKind, ParamRef } from '../../../apis/types/admissionregistration-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import { type GroupVersionKind, parseGroupVersion } from '../../../machinery/schema/index.ts';
import { labelSelectorFromObject } from '../../../machinery/selectors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionReader } from '../reader.ts';

/** Where the objects of a kind are. */
export interface ParamResource {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** What parameters are found with. */
export interface ParamSources {
  readonly read: AdmissionReader;
  readonly dialect: Dialect;
  readonly resourceOf: (kind: GroupVersionKind) => ParamResource | undefined;
}

/** A binding asks for what cannot be; the failure policy says what follows. */
export class BindingError extends Error {
  override readonly name = 'BindingError';
}

/**
 * The parameters of a binding, in the version that they are stored in; one that is undefined for a policy without any. None where
 * a binding that finds nothing is passed over.
 *
 * @throws BindingError
 */
export async function findParams(
  kind: ParamKind | undefined,
  ref: ParamRef | undefined,
  attributes: AdmissionAttributes,
  { read, dialect, resourceOf }: ParamSources,
): Promise<readonly (ApiObject | undefined)[]> {
  if (kind === undefined || ref === undefined) return [undefined];
  const { apiVersion = '', kind: kindName = '' } = kind;
  const version = parseGroupVersion(dialect.spell(apiVersion));
  const found = version && resourceOf({ ...version, kind: kindName });
  if (found === undefined) {
    throw new BindingError(
      `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kindName}'`,
    );
  }
  const namespace = namespaceOf(found, ref, attributes);
  const { name = '', selector } = ref;
  const params =
    name === ''
      ? read
          .list(found.group, found.resource, namespace)
          .filter((param) => labelSelectorFromObject(selector ?? {}).matches(param.metadata.labels ?? {}))
      : [await read.current(found.group, found.resource, namespace, name)].flatMap((param) => param ?? []);
  if (params.length > 0 || ref.parameterNotFoundAction === 'Allow') return params;
  throw new BindingError('no params found for policy binding with `Deny` parameterNotFoundAction');
}

function namespaceOf({ namespaced }: ParamResource, ref: ParamRef, attributes: AdmissionAttributes): string {
  const { namespace = '' } = ref;
  if (!namespaced) {
    if (namespace === '') return '';
    throw new BindingError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const own = namespace || attributes.namespace;
  if (own !== '') return own;
  throw new BindingError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
