import {
  type ConversionBatch,
  ConversionError,
  type ReviewVersion,
  readConversionReview,
  writeConversionReview,
} from '../../apis/apiextensions/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { otherFailure } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind, TypeCatalog } from '../../machinery/schema/index.ts';
import { CalloutError, type WebhookCaller } from './webhook-caller.ts';
import type { WebhookClientConfig } from './webhook-target.ts';

/** What conversions by webhooks need. */
export interface ConversionWebhooksOptions {
  readonly caller: WebhookCaller;
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Of reviews. */
  readonly newUid: () => string;
}

/** How a definition has its objects converted. */
export interface WebhookConversion {
  readonly client: WebhookClientConfig;
  /** As the definition prefers them. */
  readonly reviewVersions: readonly string[];
}

/** Objects to convert, all of one kind and version. */
export interface ConversionCall {
  readonly conversion: WebhookConversion;
  readonly from: GroupVersionKind;
  readonly desiredApiVersion: string;
  readonly objects: readonly ApiObject[];
  readonly signal?: AbortSignal | undefined;
}

/** Converts objects, in their order. @throws StatusError 500 in release 1.20's words when the webhook does not. */
export type ConvertByWebhook = (call: ConversionCall) => Promise<ApiObject[]>;

/** As in release 1.20. */
const timeoutMs = 30_000;
/** Of an answer to a batch: a list of the largest objects is converted in several. */
const maxResponseBytes = 64 * 1024 * 1024;

/** Conversion of custom resources' versions by the webhooks that their definitions name. */
export function createConversionByWebhook(options: ConversionWebhooksOptions): ConvertByWebhook {
  const { caller, dialect, catalog, newUid } = options;
  return async ({ conversion, from, desiredApiVersion, objects, signal }) => {
    const reviewVersion = conversion.reviewVersions.find(isReviewVersion);
    // Validation asks for one that is known here; a definition of another server may have none.
    if (reviewVersion === undefined) throw refused(from, 'failed: does not support any known review version');
    const batch: ConversionBatch = {
      dialect,
      reviewVersion,
      uid: newUid(),
      from,
      desiredApiVersion,
      objects,
    };
    try {
      const body = writeConversionReview(batch);
      const { client } = conversion;
      const answer = await caller.call({ client, body, timeoutMs, maxResponseBytes, signal });
      return readConversionReview(answer.body, batch, catalog);
    } catch (error) {
      if (error instanceof CalloutError) throw refused(from, `failed: ${error.message}`);
      if (error instanceof ConversionError) throw otherFailure(500, '', error.message);
      throw error;
    }
  };
}

const refused = (from: GroupVersionKind, problem: string): Error =>
  otherFailure(500, '', new ConversionError(from, problem).message);

const isReviewVersion = (version: string): version is ReviewVersion =>
  version === 'v1' || version === 'v1beta1';
