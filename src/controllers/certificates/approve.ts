import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { followRequests, writeRequest } from './follow-requests.ts';
import {
  type CertificateIssuer,
  hasCondition,
  nodeClientProblem,
  type RequestedSubject,
  requestPemOf,
} from './requests.ts';

/** A way to be approved: the permission that the requesting user must have, and what the condition says then. */
export interface ApprovalWay {
  /** Subresource of signing requests that the user must be allowed to create. */
  readonly subresource: string;
  readonly message: string;
}

const ways = {
  self: {
    subresource: 'selfnodeclient',
    message: 'Auto approving self nodeagent client certificate after SubjectAccessReview.',
  },
  other: {
    subresource: 'nodeclient',
    message: 'Auto approving nodeagent client certificate after SubjectAccessReview.',
  },
} as const satisfies Readonly<Record<string, ApprovalWay>>;

/** Whether nobody has decided on a request, or signed it. */
export const isUndecided = (request: CertificateSigningRequest): boolean =>
  !request.status.certificate && !hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');

/**
 * The ways in which a request may be approved without a hand, to be tried in order: an agent that renews its own client
 * certificate, and whoever may ask for one. Pure.
 */
export function decideApprovalWays(
  request: CertificateSigningRequest,
  subject: RequestedSubject,
  spell: (text: string) => string,
): readonly ApprovalWay[] {
  const { signerName, usages = [], username } = request.spec;
  if (signerName !== spell('orch.io/orch-apiserver-client-nodeagent')) return [];
  if (nodeClientProblem(subject, usages) !== undefined) return [];
  return username === subject.commonName ? [ways.self, ways.other] : [ways.other];
}

/** Approves requests of node agents for client certificates where their users may have them. */
export function certificateApprovingController(issuer: Pick<CertificateIssuer, 'read'>): Controller {
  return {
    name: 'csrapproving',
    run: (context) => followRequests(context, (request) => approve(context, issuer, request)),
  };
}

async function approve(
  context: ControllerContext,
  issuer: Pick<CertificateIssuer, 'read'>,
  request: CertificateSigningRequest,
): Promise<void> {
  const { dialect, clock, logger } = context;
  if (!isUndecided(request)) return;
  const spell = (text: string): string => dialect.spell(text);
  // Others need not be read: most requests of an unknown form are not for this controller.
  if (request.spec.signerName !== spell('orch.io/orch-apiserver-client-nodeagent')) return;
  const tried = decideApprovalWays(request, await issuer.read(requestPemOf(request)), spell);
  for (const { subresource, message } of tried) {
    if (!(await isAllowed(context, request, subresource))) continue;
    const now = `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`;
    const condition = {
      type: 'Approved',
      status: 'True',
      reason: 'AutoApproved',
      message: spell(message),
      lastUpdateTime: now,
    };
    const conditions = [...(request.status.conditions ?? []), condition];
    await writeRequest(context, 'approval', { ...request, status: { ...request.status, conditions } });
    return;
  }
  if (tried.length > 0) {
    const permissions = tried.map(({ subresource }) => subresource);
    logger.debug('certificate request recognized, but its user may not have it', {
      name: request.metadata.name,
      permissions,
    });
  }
}

/** Asks the server's authorizers. */
async function isAllowed(
  { client, dialect, signal }: ControllerContext,
  { spec }: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const group = dialect.group('authorization');
  const { username: user, uid, groups, extra } = spec;
  const resourceAttributes = {
    group: dialect.group('certificates'),
    resource: 'certificatesigningrequests',
    subresource,
    verb: 'create',
    version: '*',
  };
  const review = await client.json<{ readonly status: { readonly allowed: boolean } }>({
    method: 'POST',
    path: resourcePath({ group, version: 'v1', resource: 'subjectaccessreviews' }),
    body: {
      apiVersion: `${group}/v1`,
      kind: 'SubjectAccessReview',
      spec: { user, uid, groups, extra, resourceAttributes },
    },
    signal,
  });
  return review.status.allowed;
}
