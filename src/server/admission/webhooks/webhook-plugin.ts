import { WebhookRefusal } from '../../../apis/admission/index.ts';
import type { Logger } from '../../../base/index.ts';
import { internalError, quoteGo, timeout } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionReader } from '../reader.ts';
import { type AskSources, HookFailure } from './ask.ts';
import { type Configuration, compileHooks, type Hook } from './hooks.ts';
import { isConfiguration, matchRules } from './match.ts';

/** What happened to one call, for metrics. */
export interface HookOutcome {
  readonly name: string;
  readonly type: 'admit' | 'validating';
  readonly operation: string;
  readonly seconds: number;
  /** Why the request ended there; undefined when it did not. */
  readonly rejection: { readonly errorType: string; readonly code: number } | undefined;
}

/** What the plugins that ask webhooks are made from. */
export interface WebhookSources extends AskSources {
  readonly read: AdmissionReader;
  readonly logger: Logger;
  /** Told of every call. */
  readonly onCall?: ((outcome: HookOutcome) => void) | undefined;
}

/** The webhooks of all configurations of one kind as they are now. */
export interface HookSet {
  current(): readonly Hook[];
  /** Whether the rules of any of them name the request. */
  concerns(attributes: AdmissionAttributes): boolean;
}

/** Follows the stored configurations: whatever was written before a request counts for it. */
export function createHookSet({ read, dialect }: WebhookSources, resource: string): HookSet {
  const group = dialect.group('admissionregistration');
  let compiled: { readonly from: unknown; readonly hooks: readonly Hook[] } = { from: undefined, hooks: [] };
  const current = (): readonly Hook[] => {
    const configurations = read.list<Configuration>(group, resource);
    if (compiled.from !== configurations)
      compiled = { from: configurations, hooks: compileHooks(configurations) };
    return compiled.hooks;
  };
  return {
    current,
    concerns(attributes) {
      const hooks = current();
      if (hooks.length === 0 || isConfiguration(attributes)) return false;
      return hooks.some((hook) => matchRules(hook, attributes) !== undefined);
    },
  };
}

/** One call of a webhook. */
export interface TimedCall {
  readonly sources: WebhookSources;
  readonly hook: Hook;
  readonly attributes: AdmissionAttributes;
  readonly type: HookOutcome['type'];
}

/** Runs a call and reports how it ended. @throws whatever the call throws. */
export async function timed(
  { sources: { onCall }, hook, attributes, type }: TimedCall,
  run: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  const report = (rejection: HookOutcome['rejection']): void =>
    onCall?.({
      name: hook.name,
      type,
      operation: attributes.operation,
      seconds: (performance.now() - startedAtMs) / 1000,
      rejection,
    });
  try {
    await run();
    report(undefined);
  } catch (error) {
    const isPassedOver = error instanceof HookFailure && hook.ignoresFailures;
    report(isPassedOver ? undefined : rejectionOf(error));
    throw error;
  }
}

function rejectionOf(error: unknown): HookOutcome['rejection'] {
  if (error instanceof HookFailure) return { errorType: 'calling_webhook_error', code: 0 };
  if (error instanceof WebhookRefusal) return { errorType: 'no_error', code: error.code };
  return { errorType: 'apiserver_internal_error', code: 0 };
}

/**
 * Lets a request pass that a webhook failed to answer, where its configuration says so.
 *
 * @throws StatusError 500 for other failures, 504 when the request's own time is over; any other error as it is.
 */
export function settleFailure(
  hook: Hook,
  { request }: AdmissionAttributes,
  error: unknown,
  { logger, nowMs }: WebhookSources,
): void {
  if (!(error instanceof HookFailure)) throw error;
  const text = `failed calling webhook ${quoteGo(hook.name)}: ${error.message}`;
  const { name: webhook, configuration } = hook;
  logger.info('webhook call failed', {
    webhook,
    configuration,
    error: error.message,
    ignored: hook.ignoresFailures,
  });
  if (request !== undefined && request.deadlineMs <= nowMs())
    throw timeout('request did not complete within requested timeout', 0);
  if (!hook.ignoresFailures) throw internalError(text);
}
