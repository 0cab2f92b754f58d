import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';
import { pause } from '../../base/index.ts';
import type { Controller } from '../controller.ts';
import { deleteRequest, listRequests } from './follow-requests.ts';
import type { CertificateIssuer } from './requests.ts';

const hourMs = 3_600_000;
/** How long requests stay, by what became of them. Source: release 1.20, `certificates/cleaner`. */
const keptMs = { Approved: hourMs, Denied: hourMs, Failed: hourMs, pending: 24 * hourMs } as const;
const pauseMs = hourMs;

/** Whether a request has served its time. `expiryOf` says when a certificate in PEM ends. Pure. */
export function isRequestOver(
  { metadata, status }: CertificateSigningRequest,
  nowMs: number,
  expiryOf: CertificateIssuer['expiryOf'],
): boolean {
  const isOld = (time: string | null | undefined, limitMs: number): boolean =>
    Boolean(time) && nowMs - Date.parse(time ?? '') > limitMs;
  const conditions = status.conditions ?? [];
  if (conditions.length === 0) return isOld(metadata.creationTimestamp, keptMs.pending);
  const certificate = status.certificate ?? '';
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type === 'Denied' || type === 'Failed') return isOld(lastUpdateTime, keptMs[type]);
    if (type !== 'Approved' || certificate === '') return false;
    const endMs = expiryOf(Buffer.from(certificate, 'base64').toString('utf8'));
    return isOld(lastUpdateTime, keptMs.Approved) || (endMs !== undefined && endMs < nowMs);
  });
}

/** Removes signing requests that are of no use any more, every hour. */
export function certificateCleaningController({ expiryOf }: Pick<CertificateIssuer, 'expiryOf'>): Controller {
  return {
    name: 'csrcleaner',
    async run(context) {
      const { clock, signal, logger } = context;
      while (!signal.aborted) {
        try {
          for (const request of await listRequests(context)) {
            if (isRequestOver(request, clock.nowMs(), expiryOf)) await deleteRequest(context, request);
          }
        } catch (error) {
          if (!signal.aborted) logger.error('certificate requests were not cleaned', { error });
        }
        await pause(clock, pauseMs, signal);
      }
    },
  };
}
