import type { Pod } from '../../../apis/types/core-v1.ts';
import type { ImageReviewSpec, ImageReviewStatus } from '../../../apis/types/imagepolicy-v1alpha1.ts';
import {
  asJsonObject,
  asText,
  type Clock,
  ExpiringCache,
  isJsonObject,
  type Logger,
} from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { isQualifiedName } from '../../../machinery/formats/index.ts';
import { formatGroupVersion, type TypeCatalog } from '../../../machinery/schema/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import {
  CalloutError,
  callWithBackoff,
  readReview,
  type WebhookCaller,
  type WebhookClientConfig,
} from '../../callouts/index.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import type { ImagePolicySettings } from '../plugin-configurations.ts';
import { podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/** The review was decoded: its annotations are texts. */
const isTexts = (value: unknown): value is Record<string, string> => isJsonObject(value);

/** What images are asked about with. */
export interface ImagePolicyOptions {
  readonly settings: Omit<ImagePolicySettings, 'file'>;
  readonly caller: Pick<WebhookCaller, 'call'>;
  /** The webhook, as its file has it now. */
  readonly callee: () => WebhookClientConfig;
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** As in release 1.20; the size of an answer and of what is remembered are ours. */
const limits = {
  timeoutMs: 30_000,
  responseBytes: 1024 * 1024,
  cachedAnswers: 1024,
  /** Images and annotations are chosen by clients; longer questions are not remembered. */
  cachedCharacters: 10_000,
};

const neverAborted = new AbortController().signal;

/**
 * ImagePolicyWebhook: a server of the operator decides which images pods may run. Source: "Using Admission Controllers";
 * `plugin/pkg/admission/imagepolicy`.
 */
export class ImagePolicyWebhook implements AdmissionPlugin {
  readonly name = 'ImagePolicyWebhook';
  readonly handles = onOperations('CREATE', 'UPDATE');
  readonly #options: ImagePolicyOptions;
  readonly #answers: ExpiringCache<ImageReviewStatus>;
  /** What the names of annotations contain that the webhook is shown. */
  readonly #domain: string;

  constructor(options: ImagePolicyOptions) {
    this.#options = options;
    const { clock, dialect } = options;
    this.#answers = new ExpiringCache({ maxEntries: limits.cachedAnswers, nowMs: () => clock.nowMs() });
    this.#domain = dialect.spell('.image-policy.orch.io/');
  }

  validate(attributes: AdmissionAttributes): Promise<void> | void {
    const pod = podOf(attributes);
    if (pod !== undefined) return this.#decide(attributes, this.#specOf(pod, attributes.namespace));
  }

  asksOthers({ resource, subresource }: AdmissionAttributes): boolean {
    return resource.resource === 'pods' && resource.group === '' && subresource === '';
  }

  /** @throws StatusError Forbidden */
  async #decide(attributes: AdmissionAttributes, spec: ImageReviewSpec): Promise<void> {
    const { allowTtlMs, denyTtlMs } = this.#options.settings;
    const key = JSON.stringify(spec);
    let status = this.#answers.get(key);
    if (status === undefined) {
      status = await this.#ask(attributes, spec);
      if (status === undefined) return;
      if (key.length < limits.cachedCharacters) {
        this.#answers.set(key, status, status.allowed ? allowTtlMs : denyTtlMs);
      }
    }
    for (const [name, value] of Object.entries(status.auditAnnotations ?? {})) {
      this.#annotate(attributes, name, value);
    }
    if (status.allowed) return;
    const { reason = '' } = status;
    throw refuse(
      attributes,
      reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webook backend denied one or more images: ${reason}`,
    );
  }

  /** Undefined when it gave no answer and the pod is let through nevertheless. @throws StatusError Forbidden */
  async #ask(attributes: AdmissionAttributes, spec: ImageReviewSpec): Promise<ImageReviewStatus | undefined> {
    const { clock, random, logger, settings } = this.#options;
    const { retryBackoffMs: initialDelayMs, defaultAllow } = settings;
    const signal = attributes.request?.signal ?? neverAborted;
    try {
      return await callWithBackoff(() => this.#call(spec, signal), { clock, random, signal, initialDelayMs });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CalloutError)) throw error;
      logger.error('image policy webhook failed', { error: error.message, allowed: defaultAllow });
      if (!defaultAllow) throw refuse(attributes, error.message);
      this.#annotate(attributes, 'failed-open', 'true');
      return undefined;
    }
  }

  async #call(spec: ImageReviewSpec, signal: AbortSignal): Promise<ImageReviewStatus> {
    const { caller, callee, dialect, catalog } = this.#options;
    const expected = { group: dialect.group('imagepolicy'), version: 'v1alpha1', kind: 'ImageReview' };
    const { kind, group, version } = expected;
    const review = {
      kind,
      apiVersion: formatGroupVersion(group, version),
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed: false },
    };
    const answer = await caller.call({
      client: callee(),
      body: `${JSON.stringify(review)}\n`,
      timeoutMs: limits.timeoutMs,
      maxResponseBytes: limits.responseBytes,
      signal,
    });
    const { status } = asJsonObject(readReview(answer.body, { catalog, dialect, expected }));
    const { allowed, reason, auditAnnotations } = asJsonObject(status);
    return {
      allowed: allowed === true,
      reason: asText(reason),
      auditAnnotations: isTexts(auditAnnotations) ? auditAnnotations : {},
    };
  }

  /** Images of containers, then of init containers, as release 1.20 lists them. Empty fields are left out. */
  #specOf({ metadata, spec }: Pod, namespace: string): ImageReviewSpec {
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const shown = Object.entries(metadata.annotations ?? {})
      .filter(([name]) => name.includes(this.#domain))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      containers: containers.map(({ image }) => (image === undefined || image === '' ? {} : { image })),
      ...(shown.length === 0 ? {} : { annotations: Object.fromEntries(shown) }),
      ...(namespace === '' ? {} : { namespace }),
    };
  }

  /** For the audit log. Names that cannot be annotations' are left out, as in release 1.20. */
  #annotate({ request }: AdmissionAttributes, name: string, value: string): void {
    const key = `${this.name.toLowerCase()}${this.#domain}${name}`;
    if (isQualifiedName(key).length === 0) request?.annotate(key, value, 'Metadata');
  }
}
