/**
 * Calls to others that are configured by clients: webhooks. Whoever is called is taken for hostile and slow: each call
 * has a deadline and a size limit, and costs its own request only.
 */
export { type Callee, CalleeAgents, type ClientPair } from './callee-agents.ts';
export {
  type ConversionCall,
  type ConvertByWebhook,
  createConversionByWebhook,
  type WebhookConversion,
} from './conversion-webhook.ts';
export { DocumentReader } from './document-reader.ts';
export { KeptAgents } from './kept-agents.ts';
export { readAnswer } from './read-answer.ts';
export { type ReadReviewOptions, readReview } from './read-review.ts';
export { type BackoffOptions, callWithBackoff, mayRepeat } from './repeats.ts';
export { createServiceResolver } from './service-resolver.ts';
export {
  CalloutError,
  type WebhookAnswer,
  WebhookCaller,
  type WebhookCallerOptions,
} from './webhook-caller.ts';
export type { OperatorSettings, ResolveService, WebhookClientConfig } from './webhook-target.ts';
