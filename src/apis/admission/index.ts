/**
 * Reviews that admission webhooks are sent and answer with: the admission group, whose kinds are served nowhere.
 */
export {
  type AdmissionAnswer,
  type AnswerContext,
  ReviewError,
  type ReviewedRequest,
  type ReviewVersion,
  readAdmissionReview,
  reviewVersions,
  writeAdmissionReview,
} from './admission-review.ts';
export { WebhookRefusal } from './refusal.ts';
