import type { BoundObjectReference, TokenRequest } from '../../apis/types/authentication-v1.ts';
import type { Pod, Secret, ServiceAccount } from '../../apis/types/core-v1.ts';
import {
  badRequest,
  conflict,
  type FieldError,
  fieldPath,
  invalid,
  invalidValue,
} from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatKind, type GroupVersionKind, parseGroupVersion } from '../../machinery/schema/index.ts';
import { formatNow, type Stores } from '../../registry/index.ts';
import type { TokenIssuer, TokenReference } from '../authentication/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseWriteQuery } from '../request/options.ts';
import { admitCreation } from './admit-creation.ts';
import { findObject } from './find-object.ts';
import { writeValue } from './write-value.ts';

const defaultExpirationSeconds = 3600;
const minExpirationSeconds = 600;
const maxExpirationSeconds = 2 ** 32;

/** POST to `serviceaccounts/NAME/token`: a signed token for the account. */
export function tokenRequestHandler(stores: Stores, issuer: TokenIssuer): SubresourceHandler {
  return async (exchange, endpoint, kind) => {
    const { served, context } = endpoint;
    const query = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
    const object = await readObject(exchange, context, kind);
    // Decoded as just this kind.
    const request = object as unknown as TokenRequest;
    request.spec.expirationSeconds ??= defaultExpirationSeconds;
    await admitCreation(exchange, endpoint, { kind, object, query });
    const { expirationSeconds = defaultExpirationSeconds, boundObjectRef: reference } = request.spec;
    checkExpiration(expirationSeconds, kind);
    const account = (await findObject(exchange, served)) as ServiceAccount;
    const issued = await issuer.issue({
      namespace: exchange.info.namespace,
      serviceAccount: referTo(account),
      ...(reference ? await findBound(stores, exchange, reference) : {}),
      audiences: request.spec.audiences ?? [],
      expirationSeconds,
    });
    const { audiences, token, expiresAtMs } = issued;
    const answer = {
      ...request,
      spec: { ...request.spec, audiences, expirationSeconds: issued.expirationSeconds },
      status: { token, expirationTimestamp: formatNow(expiresAtMs) },
    };
    const type = context.catalog.kind(kind);
    if (type === undefined) throw new RangeError(`no type for the served kind ${kind.kind}`);
    // The canonical form of a kind has kind, apiVersion and metadata.
    writeValue(exchange, endpoint, { code: 201, object: type.canonicalize(answer) as unknown as ApiObject });
  };
}

/** @throws StatusError 422 */
function checkExpiration(seconds: number, kind: GroupVersionKind): void {
  const path = fieldPath('spec', 'expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < minExpirationSeconds) {
    errors.push(invalidValue(path, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > maxExpirationSeconds) {
    errors.push(invalidValue(path, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  if (errors.length > 0) throw invalid(kind, '', errors);
}

/** The object that a token shall end with. @throws StatusError when there is none, or it is not what was meant. */
async function findBound(
  stores: Stores,
  exchange: Exchange,
  reference: BoundObjectReference,
): Promise<{ pod: TokenReference } | { secret: TokenReference }> {
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const resource = group === '' ? boundResources[kind] : undefined;
  const served = resource === undefined ? undefined : stores.served.get(`/v1/${resource}`);
  if (served === undefined) {
    throw badRequest(`cannot bind token to object of type ${formatKind({ group, version, kind })}`);
  }
  const object = (await findObject(exchange, served, { name })) as Pod | Secret;
  if (resource === 'pods' && (object as Pod).spec.serviceAccountName !== exchange.info.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(exchange.info.name)} to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== '' && uid !== object.metadata.uid) {
    const detail = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group, resource: kind }, name, detail);
  }
  return resource === 'pods' ? { pod: referTo(object) } : { secret: referTo(object) };
}

const boundResources: Readonly<Record<string, 'pods' | 'secrets'>> = { Pod: 'pods', Secret: 'secrets' };

function referTo({ metadata }: Pick<ApiObject, 'metadata'>): TokenReference {
  return { name: metadata.name ?? '', uid: metadata.uid ?? '' };
}
