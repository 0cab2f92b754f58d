import { quoteGo, StatusError } from '../../machinery/errors/index.ts';
import type { AdmissionResponse } from '../types/admission-v1.ts';

/** Codes that are no failure are replaced by this one, and so are such as HTTP cannot say. */
const badRequest = 400;
const highestCode = 999;

/**
 * The error that a client gets of a webhook that refused its request: the webhook's own status, made a failure where it
 * is none, with a message that names the webhook (release 1.20, `ToStatusErr`).
 */
export class WebhookRefusal extends StatusError {
  constructor(webhookName: string, status: AdmissionResponse['status']) {
    const refused = `admission webhook ${quoteGo(webhookName)} denied the request`;
    const { message = '', reason = '', code = 0, status: named = '' } = status ?? {};
    const why = message === '' ? reason : message;
    super({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: { ...status?.metadata },
      status: named === '' || named === 'Success' ? 'Failure' : named,
      message: why === '' ? `${refused} without explanation` : `${refused}: ${why}`,
      ...(reason === '' ? {} : { reason }),
      ...(status?.details === undefined ? {} : { details: status.details }),
      code: code < badRequest || code > highestCode ? badRequest : code,
    });
  }
}
