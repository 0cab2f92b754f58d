/**
 * API errors: `Status`, one factory per reason, and field errors with their paths. Messages that clients
 * match keep the public API's wording (release 1.20).
 */
export * from './factories.ts';
export {
  type FailedResponse,
  isFailureStatus,
  parseStatus,
  statusErrorFrom,
} from './failed-response.ts';
export {
  duplicate,
  FieldError,
  type FieldErrorKind,
  forbiddenField,
  internalFieldError,
  invalidValue,
  notFoundField,
  notSupported,
  quoteGo,
  required,
  tooLong,
  tooMany,
  VerbatimValue,
} from './field-error.ts';
export { FieldPath, fieldPath } from './field-path.ts';
export { isReason, type Status, type StatusCause, type StatusDetails, StatusError } from './status.ts';
