import type { CertificateSigningRequest } from '../../apis/types/certificates-v1.ts';

/** How a request for a certificate stands. */
export type RequestVerdict =
  | { readonly kind: 'pending' }
  | { readonly kind: 'issued'; readonly certificatePem: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Denial and failure win over an approval; approved alone is not enough, it must have been signed as well. */
export function judgeRequest({ status }: CertificateSigningRequest): RequestVerdict {
  const conditions = status?.conditions ?? [];
  const find = (type: string) => conditions.find((condition) => condition.type === type);
  const denied = find('Denied');
  if (denied !== undefined) return refused('is denied', denied);
  const failed = find('Failed');
  if (failed !== undefined) return refused('failed', failed);
  const certificate = status?.certificate ?? '';
  if (find('Approved') === undefined || certificate === '') return { kind: 'pending' };
  return { kind: 'issued', certificatePem: Buffer.from(certificate, 'base64').toString('utf8') };
}

function refused(
  what: string,
  {
    reason = '',
    message = '',
  }: { readonly reason?: string | undefined; readonly message?: string | undefined },
): RequestVerdict {
  return {
    kind: 'refused',
    message: `certificate signing request ${what}, reason: ${reason}, message: ${message}`,
  };
}
