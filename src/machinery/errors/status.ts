/** One reason why a request failed, usually one field. */
export interface StatusCause {
  reason?: string | undefined;
  message?: string | undefined;
  field?: string | undefined;
}

/** Machine-readable details of a `Status`. `kind` is a kind or a resource name, as apimachinery has it. */
export interface StatusDetails {
  name?: string | undefined;
  group?: string | undefined;
  kind?: string | undefined;
  uid?: string | undefined;
  causes?: StatusCause[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The answer to a request that returns no object; every error is one. Field order is the wire's. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: Record<string, unknown>;
  status?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  details?: StatusDetails | undefined;
  code?: number | undefined;
}

/** An API error: a full `Status`. Recognised by reason (`isReason`), never by message text. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? 'unknown', options);
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** True for an API error with this reason (`NotFound`, `Conflict`, ...). */
export function isReason(error: unknown, reason: string): error is StatusError {
  return error instanceof StatusError && error.reason === reason;
}
