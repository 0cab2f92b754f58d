import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { askHook } from './ask.ts';
import type { Invocation } from './hooks.ts';
import { matchRequest } from './match.ts';
import { ObjectShow, type ShownObjects } from './shown-objects.ts';
import { type HookSet, settleFailure, timed, type WebhookSources } from './webhook-plugin.ts';

/** Asks the validating webhooks, all at the same time. */
export function validatingWebhooks(sources: WebhookSources, hooks: HookSet): AdmissionPlugin {
  async function dispatch(attributes: AdmissionAttributes): Promise<void> {
    const show = new ObjectShow(attributes);
    const relevant: { readonly invocation: Invocation; readonly shown: ShownObjects }[] = [];
    for (const hook of hooks.current()) {
      const matched = await matchRequest(hook, attributes, sources.read);
      if (matched === undefined) continue;
      relevant.push({ invocation: { hook, matched }, shown: await show.as(matched.kind) });
    }
    const outcomes = await Promise.allSettled(
      relevant.map(({ invocation, shown }) => ask(invocation, attributes, shown)),
    );
    // Whoever refuses first speaks for all: the client hears of one at a time.
    const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refusal !== undefined) throw refusal.reason;
  }

  async function ask(
    invocation: Invocation,
    attributes: AdmissionAttributes,
    shown: ShownObjects,
  ): Promise<void> {
    const { hook } = invocation;
    try {
      await timed({ sources, hook, attributes, type: 'validating' }, async () => {
        await askHook({ invocation, attributes, ...shown, isMutating: false }, sources);
      });
    } catch (error) {
      settleFailure(hook, attributes, error, sources);
    }
  }

  return {
    name: 'ValidatingAdmissionWebhook',
    handles: () => true,
    validate(attributes) {
      if (hooks.concerns(attributes)) return dispatch(attributes);
    },
    asksOthers: (attributes) => hooks.concerns(attributes),
  };
}
