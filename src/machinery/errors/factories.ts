import { formatGroupResource, type GroupResource } from '../schema/identities.ts';
import { type FieldError, quoteGo } from './field-error.ts';
import { type StatusCause, type StatusDetails, StatusError } from './status.ts';

function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

function detailsOf(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
  };
}

/** 404 for an object. */
export const notFound = (resource: GroupResource, name: string): StatusError =>
  failure(
    404,
    'NotFound',
    `${formatGroupResource(resource)} ${quoteGo(name)} not found`,
    detailsOf(resource, name),
  );

/** 404 for a path that no handler serves. */
export const notFoundPath = (): StatusError =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {});

/** 405. */
export const methodNotAllowed = (): StatusError =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** 405 for a verb that a resource does not have; `message` where the usual one does not say why. */
export const methodNotSupported = (resource: GroupResource, verb: string, message?: string): StatusError =>
  failure(
    405,
    'MethodNotAllowed',
    message ?? `${verb} is not supported on resources of kind ${quoteGo(formatGroupResource(resource))}`,
    detailsOf(resource, ''),
  );

/** 409 for a name that is taken. */
export const alreadyExists = (resource: GroupResource, name: string): StatusError =>
  failure(
    409,
    'AlreadyExists',
    `${formatGroupResource(resource)} ${quoteGo(name)} already exists`,
    detailsOf(resource, name),
  );

/** 409 for a lost race or a refused operation; `detail` completes the sentence. */
export const conflict = (resource: GroupResource, name: string, detail: string): StatusError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quoteGo(name)}: ${detail}`,
    detailsOf(resource, name),
  );

/** 403. `resource` may be empty for paths that are no resource. */
export function forbidden(resource: GroupResource, name: string, detail: string): StatusError {
  let message: string;
  if (resource.resource === '') message = `forbidden: ${detail}`;
  else if (name === '') message = `${formatGroupResource(resource)} is forbidden: ${detail}`;
  else message = `${formatGroupResource(resource)} ${quoteGo(name)} is forbidden: ${detail}`;
  return failure(403, 'Forbidden', message, detailsOf(resource, name));
}

/** Letters of all errors of one object that are told: hostile ones come to gigabytes, where each repeats a long path or value. */
const maxLetters = 1 << 20;

/**
 * 422 with one cause per field error, in the order given; repeated texts are named once in the message. Of errors with more
 * than a million letters together the rest is only counted.
 */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const causes: StatusCause[] = [];
  const texts = new Set<string>();
  let letters = 0;
  for (const error of errors) {
    const { reason, body } = error;
    const field = error.path.toString();
    causes.push({ reason, message: body, field });
    texts.add(`${field}: ${body}`);
    letters += field.length + body.length;
    if (letters <= maxLetters || causes.length === errors.length) continue;
    texts.add(`and ${errors.length - causes.length} other errors`);
    break;
  }
  const joined = texts.size === 1 ? [...texts][0] : `[${[...texts].join(', ')}]`;
  const kindText = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return failure(422, 'Invalid', `${kindText} ${quoteGo(name)} is invalid: ${joined}`, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    ...(kind.kind === '' ? {} : { kind: kind.kind }),
    causes,
  });
}

/** 400. */
export const badRequest = (message: string): StatusError => failure(400, 'BadRequest', message);

/** 401. */
export const unauthorized = (message = 'Unauthorized'): StatusError => failure(401, 'Unauthorized', message);

/** 406; `accepted` are the media types that would do. */
export const notAcceptable = (accepted: readonly string[]): StatusError =>
  failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);

/** 415; `accepted` are the media types that would do. */
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** 410 for a version that is gone (`Expired` for resource versions, `Gone` for others). */
export const expired = (message: string): StatusError => failure(410, 'Expired', message);

/** 413 for a body above the limit. */
export const requestEntityTooLarge = (message: string): StatusError =>
  failure(413, 'RequestEntityTooLarge', message);

/** 429; `retryAfterSeconds` goes to the details and the header. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  failure(429, 'TooManyRequests', message, { retryAfterSeconds });

/** 504: the server gave up waiting; the client may try again. */
export const timeout = (message: string, retryAfterSeconds: number): StatusError =>
  failure(504, 'Timeout', `Timeout: ${message}`, retryAfterSeconds > 0 ? { retryAfterSeconds } : {});

/** 500 for what is not ready yet: the client may try the operation again. */
export const serverTimeout = (
  resource: GroupResource,
  operation: string,
  { message, retryAfterSeconds }: { readonly message: string; readonly retryAfterSeconds: number },
): StatusError =>
  failure(500, 'ServerTimeout', message, { ...detailsOf(resource, operation), retryAfterSeconds });

/** 500 with a bland text; the cause goes to the log, not to the client. */
export const internalError = (message: string): StatusError =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

/** 503: not now. */
export const serviceUnavailable = (message: string): StatusError =>
  failure(503, 'ServiceUnavailable', message);

/** Any other failure that apimachinery words by itself. */
export const otherFailure = failure;
