import type { JsonObject } from './api-client.ts';
import type { ReceivedCall, WebhookServer } from './webhook-server.ts';

/** A request as a webhook is told of it. */
export interface ReviewRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly requestKind: ReviewRequest['kind'];
  readonly requestResource: ReviewRequest['resource'];
  readonly subResource?: string;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[] };
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly dryRun: boolean;
  readonly options: JsonObject | null;
}

/** What a webhook may answer beside the uid. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly patch?: readonly object[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly status?: object;
}

const group = 'admissionregistration.orch.io';

/** Path of the configurations of one kind. */
export const configurationsPath = (kind: 'Mutating' | 'Validating', version = 'v1'): string =>
  `/apis/${group}/${version}/${kind.toLowerCase()}webhookconfigurations`;

/** A configuration with these webhooks; what they leave out is filled in for a server on loopback. */
export function webhookConfiguration(
  {
    kind = 'Mutating',
    name = 'hooks',
    version = 'v1',
  }: {
    readonly kind?: 'Mutating' | 'Validating';
    readonly name?: string;
    readonly version?: string;
  },
  server: Pick<WebhookServer, 'url' | 'caBundle'>,
  webhooks: readonly { readonly path?: string; readonly [field: string]: unknown }[],
): object {
  return {
    kind: `${kind}WebhookConfiguration`,
    apiVersion: `${group}/${version}`,
    metadata: { name },
    webhooks: webhooks.map(({ path = '/', ...webhook }, index) => ({
      name: `hook${index}.example.com`,
      clientConfig: { url: server.url + path, caBundle: server.caBundle },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...webhook,
    })),
  };
}

/** The request of a review. */
export const requestOf = ({ body }: ReceivedCall): ReviewRequest => JSON.parse(body).request;

/** A review of the version of the call with this response. */
export function reviewAnswer(call: ReceivedCall, { patch, ...response }: ReviewResponse): string {
  const { kind, apiVersion, request } = JSON.parse(call.body);
  const patched = patch && {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
  return JSON.stringify({ kind, apiVersion, response: { uid: request.uid, ...response, ...patched } });
}
