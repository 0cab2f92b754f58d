import { type ReviewVersion, reviewVersions } from '../../../apis/admission/index.ts';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../apis/types/admissionregistration-v1beta1.ts';
import {
  everything,
  type LabelSelector,
  labelSelectorFromObject,
} from '../../../machinery/selectors/index.ts';
import type { VersionedResource } from '../../../registry/index.ts';
import type { WebhookClientConfig } from '../../callouts/index.ts';
import type { RequestMatcher } from './match.ts';

/** One webhook of a configuration, ready to be matched with requests. */
export interface Hook extends RequestMatcher {
  readonly name: string;
  /** The configuration that it is in. */
  readonly configuration: string;
  /** Tells webhooks apart, also such as have one name. */
  readonly id: string;
  /** Its place among all webhooks of its kind. */
  readonly index: number;
  readonly client: WebhookClientConfig;
  readonly ignoresFailures: boolean;
  /** Whether it can be asked about a dry run; undefined where the configuration does not say. */
  readonly hasSideEffects: boolean | undefined;
  readonly timeoutMs: number;
  /** The version of reviews that it wants and that is known here; undefined when there is none. */
  readonly reviewVersion: ReviewVersion | undefined;
  /** Whether it is asked again when others have changed the object after it. */
  readonly isReinvoked: boolean;
}

/** A webhook that a request concerns, and the version in which its rules name the resource. */
export interface Invocation {
  readonly hook: Hook;
  readonly matched: VersionedResource;
}

/** Configurations in the version that they are stored in; the other has the same fields. */
export type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** As in release 1.20, where a configuration of an older server does not say. */
const defaultTimeoutSeconds = 30;

/** The webhooks of all configurations, which come sorted by name: they are called in this order. */
export function compileHooks(configurations: readonly Configuration[]): readonly Hook[] {
  const hooks: Hook[] = [];
  for (const { metadata, webhooks = [] } of configurations) {
    const seen = new Map<string, number>();
    for (const webhook of webhooks) {
      const count = seen.get(webhook.name) ?? 0;
      seen.set(webhook.name, count + 1);
      const { name: configuration = '' } = metadata;
      const id = `${configuration}/${webhook.name}/${count}`;
      hooks.push({ ...compileHook(webhook), configuration, id, index: hooks.length });
    }
  }
  return hooks;
}

function compileHook(webhook: MutatingWebhook): Omit<Hook, 'configuration' | 'id' | 'index'> {
  const { name, clientConfig, rules = [], failurePolicy, matchPolicy, sideEffects } = webhook;
  const { timeoutSeconds = defaultTimeoutSeconds, admissionReviewVersions = [] } = webhook;
  return {
    name,
    client: clientConfig,
    rules,
    matchesEquivalents: matchPolicy === 'Equivalent',
    namespaceSelector: selectorOf(webhook.namespaceSelector),
    objectSelector: selectorOf(webhook.objectSelector),
    ignoresFailures: failurePolicy === 'Ignore',
    hasSideEffects:
      sideEffects === undefined ? undefined : sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun',
    timeoutMs: timeoutSeconds * 1000,
    reviewVersion: firstKnown(admissionReviewVersions),
    isReinvoked: webhook.reinvocationPolicy === 'IfNeeded',
  };
}

const firstKnown = (wanted: readonly string[]): ReviewVersion | undefined =>
  wanted.flatMap((version) => reviewVersions.find((known) => known === version) ?? [])[0];

/** One that is left out selects everything, as its default does. */
export function selectorOf(selector: MutatingWebhook['objectSelector']): LabelSelector {
  return selector === undefined ? everything : labelSelectorFromObject(selector);
}
