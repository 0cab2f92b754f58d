import { isJsonObject } from '../../../base/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import { jsonEqual } from '../../../machinery/patch/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { askHook } from './ask.ts';
import type { Invocation } from './hooks.ts';
import { matchRequest } from './match.ts';
import { annotateMutation, applyAnswer } from './mutations.ts';
import { Reinvocation } from './reinvocation.ts';
import { ObjectShow, type ShownObjects } from './shown-objects.ts';
import { type HookSet, settleFailure, timed, type WebhookSources } from './webhook-plugin.ts';

/** A request on its way through the webhooks. */
interface Pass {
  readonly attributes: AdmissionAttributes;
  readonly show: ObjectShow;
  readonly reinvocation: Reinvocation;
}

/** Asks the mutating webhooks, one after the other; each sees what those before it made of the object. */
export class MutatingWebhooks implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #sources: WebhookSources;
  readonly #hooks: HookSet;
  readonly #reinvocations = new WeakMap<AdmissionAttributes, Reinvocation>();

  constructor(sources: WebhookSources, hooks: HookSet) {
    this.#sources = sources;
    this.#hooks = hooks;
  }

  handles(): boolean {
    return true;
  }

  asksOthers(attributes: AdmissionAttributes): boolean {
    return this.#hooks.concerns(attributes);
  }

  /** Whoever is not concerned waits for nobody. */
  admit(attributes: AdmissionAttributes): Promise<void> | void {
    if (this.#hooks.concerns(attributes)) return this.#dispatch(attributes);
  }

  wantsAnotherRound(attributes: AdmissionAttributes): boolean {
    return this.#reinvocations.get(attributes)?.isWanted === true;
  }

  async #dispatch(attributes: AdmissionAttributes): Promise<void> {
    let reinvocation = this.#reinvocations.get(attributes);
    if (reinvocation === undefined) {
      reinvocation = new Reinvocation();
      this.#reinvocations.set(attributes, reinvocation);
    } else reinvocation.begin(attributes.object);
    const pass = { attributes, show: new ObjectShow(attributes), reinvocation };
    try {
      for (const hook of this.#hooks.current()) {
        const matched = await matchRequest(hook, attributes, this.#sources.read);
        if (matched === undefined || !reinvocation.includes(hook)) continue;
        reinvocation.note(hook, await this.#invoke({ hook, matched }, pass));
      }
    } finally {
      reinvocation.end(attributes.object);
    }
  }

  /** Whether the webhook changed the object. */
  async #invoke(invocation: Invocation, pass: Pass): Promise<boolean> {
    const sources = this.#sources;
    const { attributes } = pass;
    const { round } = pass.reinvocation;
    const { hook } = invocation;
    let wasChanged = false;
    try {
      await timed({ sources, hook, attributes, type: 'admit' }, async () => {
        wasChanged = await this.#change(invocation, pass);
      });
    } catch (error) {
      settleFailure(hook, attributes, error, sources);
    } finally {
      annotateMutation({ hook, attributes, round, dialect: sources.dialect }, wasChanged);
    }
    return wasChanged;
  }

  async #change({ hook, matched }: Invocation, { attributes, show, reinvocation }: Pass): Promise<boolean> {
    const shown = await show.as(matched.kind);
    const question = { invocation: { hook, matched }, attributes, ...shown, isMutating: true };
    const answer = await askHook(question, this.#sources);
    const applied = applyAnswer(hook.name, answer, shown.object);
    if (applied === undefined || attributes.object === undefined) return false;
    const read = await attributes.forms?.read(applied.value, matched.kind);
    if (read === undefined) return false;
    const { round } = reinvocation;
    annotateMutation({ hook, attributes, round, dialect: this.#sources.dialect }, applied.patch);
    replaceMembers(attributes.object, read.object);
    show.changed(matched.kind, read.shown);
    const isTyped = attributes.forms?.isUnstructured !== true;
    const losesFractions = reinvocation.isFirstPatch() && isTyped && takesFields(shown, attributes.oldOwners);
    return losesFractions || !jsonEqual(shown.object, read.decoded);
  }
}

/** Whoever holds the object sees the change. */
function replaceMembers(object: ApiObject, by: ApiObject): void {
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
  Object.assign(object, by);
}

/**
 * Whether the request made its manager an owner of fields. Release 1.20 notes the time of that with fractions of a second,
 * and the first patch of the request takes them away, so that it counts as a change whatever it says. Options of a connection
 * have no metadata, and no owners.
 */
function takesFields({ object, oldObject }: ShownObjects, before: readonly unknown[] = []): boolean {
  const entries = object?.metadata?.managedFields ?? [];
  if (entries.length === 0 || oldObject === undefined) return entries.length > 0;
  const isKnown = (entry: unknown) => before.some((each) => jsonEqual(each, entry));
  return !entries.every(isKnown) || setsFields(ownedPart(object), ownedPart(oldObject));
}

/** The object without what nobody owns. */
function ownedPart(object: ApiObject | undefined): object {
  const { managedFields, resourceVersion, generation, ...metadata } = object?.metadata ?? {};
  return { ...object, metadata };
}

/** Whether something is there that was not: what is only taken away has no owner. */
function setsFields(now: unknown, before: unknown): boolean {
  if (now === undefined || jsonEqual(now, before)) return false;
  if (Array.isArray(now) && Array.isArray(before)) {
    return now.some((item) => !before.some((each) => jsonEqual(each, item)));
  }
  if (!isJsonObject(now) || !isJsonObject(before)) return true;
  return Object.keys(now).some((name) => setsFields(now[name], before[name]));
}
