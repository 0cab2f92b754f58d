import type { SubjectAccessReview } from '../../../apis/types/authorization-v1.ts';
import { type RestClient, resourcePath } from '../../../client/rest/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { askPatiently, type Patience } from './ask-patiently.ts';
import { ExpiringCache } from './expiring-cache.ts';
import type { RequestAttributes } from './request-attributes.ts';

/** Says whether a request may be carried out. @throws when the API server gives no verdict */
export type Authorize = (attributes: RequestAttributes) => Promise<boolean>;

/** The API server that reviews accesses, and how long its answers are cached. */
export interface AccessReviewsOptions extends Patience {
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

const maxCachedVerdicts = 4096;
/** Answers about longer names are not cached: they would fill the memory. */
const maxKeyLength = 10_000;

/** Mode `AlwaysAllow`: every authenticated user may do everything. */
export const allowAll: Authorize = async () => true;

/** Mode `Webhook`: SubjectAccessReviews at the API server, with cached answers. */
export function createAccessReviews(options: AccessReviewsOptions): Authorize {
  const { client, dialect, authorizedTtlMs, unauthorizedTtlMs } = options;
  const cache = new ExpiringCache<boolean>(options.clock, maxCachedVerdicts);
  const group = dialect.group('authorization');
  const path = resourcePath({ group, version: 'v1', resource: 'subjectaccessreviews' });
  const ask = async (spec: unknown): Promise<boolean> => {
    const body = { kind: 'SubjectAccessReview', apiVersion: `${group}/v1`, metadata: {}, spec };
    const { status } = await client.json<SubjectAccessReview>({
      method: 'POST',
      path,
      body,
      signal: options.signal,
    });
    return status?.allowed === true && status.denied !== true;
  };
  return (attributes) => {
    const spec = reviewSpec(attributes);
    const key = JSON.stringify(spec);
    return cache.get(
      key,
      () => askPatiently(() => ask(spec), options),
      (isAllowed) => (key.length > maxKeyLength ? 0 : isAllowed ? authorizedTtlMs : unauthorizedTtlMs),
    );
  };
}

function reviewSpec({ user, verb, subresource, nodeName }: RequestAttributes) {
  return {
    resourceAttributes: { verb, version: 'v1', resource: 'nodes', subresource, name: nodeName },
    user: user.name,
    groups: user.groups,
    ...(user.uid === '' ? {} : { uid: user.uid }),
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  };
}
