/**
 * PodSecurityPolicy: pods are let in by a policy that whoever makes them, or their service account, may `use`. The controls
 * of a policy are pure functions of it and a pod; what is stored and who may use it is asked here. Source: "Pod Security
 * Policies"; release 1.20, `plugin/pkg/admission/security/podsecuritypolicy`.
 */

import type { EphemeralContainers, Pod } from '../../../../apis/types/core-v1.ts';
import type { PodSecurityPolicy } from '../../../../apis/types/policy-v1beta1.ts';
import type { Dialect } from '../../../../machinery/dialect.ts';
import type { AdmissionAttributes } from '../../../../registry/index.ts';
import { serviceAccountUser } from '../../../authentication/index.ts';
import type { Authorizer } from '../../../authorization/index.ts';
import { changesOwnersOnly } from '../../owner-changes.ts';
import { type AdmissionPlugin, onOperations } from '../../plugin.ts';
import { objectsOf, podOf } from '../../pod-attributes.ts';
import type { AdmissionReader } from '../../reader.ts';
import { refuse } from '../../refusal.ts';
import { choosePolicy, type PolicyVerdict } from './choose-policy.ts';
import { PolicyControls } from './controls.ts';

/** What the plugin asks. */
export interface PodSecurityPolicyOptions {
  readonly authorizer: Authorizer;
  readonly read: AdmissionReader;
  readonly dialect: Dialect;
  /** Enabled feature gates. */
  readonly gates: ReadonlySet<string>;
}

/** Groups in which the permission may be granted: that of today, and that of old roles. */
const groups = ['policy', 'extensions'];

/** What a write is measured by besides the pod itself. */
interface Measure {
  readonly attributes: AdmissionAttributes;
  readonly pod: Pod;
  /** As `PolicyChoice` has it. */
  readonly mayChange: boolean;
}

/** The plugin. Policies count for the next request; their controls are made once for each version of them. */
export class PodSecurityPolicies implements AdmissionPlugin {
  readonly name = 'PodSecurityPolicy';
  readonly handles = onOperations('CREATE', 'UPDATE');
  readonly #options: PodSecurityPolicyOptions;
  readonly #annotation: string;
  readonly #auditPrefix: string;
  readonly #made = new WeakMap<PodSecurityPolicy, { readonly controls: PolicyControls | undefined }>();

  constructor(options: PodSecurityPolicyOptions) {
    const { dialect } = options;
    this.#options = options;
    this.#annotation = dialect.label('psp');
    this.#auditPrefix = dialect.spell('podsecuritypolicy.policy.admission.orch.io');
  }

  /** @throws StatusError 403 for a new pod that no usable policy lets in. */
  async admit(attributes: AdmissionAttributes): Promise<void> {
    const pod = podOf(attributes);
    if (pod === undefined || attributes.operation !== 'CREATE') return;
    const verdict = await this.#choose({ attributes, pod, mayChange: true });
    if (verdict.kind === 'refused') throw refuseFor(attributes, 'admit', verdict.errors);
    verdict.policy.applyDefaults(pod);
    const { name } = verdict.policy;
    pod.metadata.annotations = { ...pod.metadata.annotations, [this.#annotation]: name };
    attributes.request?.annotate(`${this.#auditPrefix}/admit-policy`, name, 'Metadata');
  }

  /** @throws StatusError 403 for a pod that no usable policy lets be as it is. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    const pod = await writtenPod(attributes, this.#options.read);
    if (pod === undefined) return;
    const verdict = await this.#choose({ attributes, pod, mayChange: false });
    if (verdict.kind === 'refused') throw refuseFor(attributes, 'validate', verdict.errors);
    const { name } = verdict.policy;
    attributes.request?.annotate(`${this.#auditPrefix}/validate-policy`, name, 'Metadata');
  }

  /** @throws StatusError 403 where no policy can be followed at all. */
  async #choose({ attributes, pod, mayChange }: Measure): Promise<PolicyVerdict> {
    const stored = this.#options.read.list<PodSecurityPolicy>('policy', 'podsecuritypolicies');
    const policies = stored.flatMap((policy) => this.#controlsOf(policy) ?? []);
    if (policies.length === 0) {
      throw refuse(attributes, 'PodSecurityPolicy: no providers available to validate pod request');
    }
    if (!mayChange) {
      // Most are let through by the policy that let them in.
      const known = policies.findIndex(({ name }) => name === pod.metadata.annotations?.[this.#annotation]);
      if (known > 0) policies.unshift(...policies.splice(known, 1));
    }
    const isUsable = (name: string) => this.#isUsable(attributes, pod, name);
    return choosePolicy(pod, { policies, mayChange, isUsable });
  }

  #controlsOf(policy: PodSecurityPolicy): PolicyControls | undefined {
    let known = this.#made.get(policy);
    if (known === undefined) {
      known = { controls: PolicyControls.of(policy, this.#options) };
      this.#made.set(policy, known);
    }
    return known.controls;
  }

  /** The service account is asked about first: mostly it has the permission. */
  async #isUsable(
    { user, namespace, request: asker }: AdmissionAttributes,
    { spec }: Pod,
    name: string,
  ): Promise<boolean> {
    const account = spec.serviceAccountName
      ? { ...serviceAccountUser(namespace, spec.serviceAccountName), uid: '', extra: {} }
      : undefined;
    for (const asked of account === undefined ? [user] : [account, user]) {
      for (const group of groups) {
        const request = { ...question, group, namespace, name };
        const decision = await this.#options.authorizer.authorize({ user: asked, request, asker });
        if (decision.isAllowed) return true;
      }
    }
    return false;
  }
}

const question = {
  isResource: true,
  verb: 'use',
  version: '*',
  resource: 'podsecuritypolicies',
  subresource: '',
  path: '',
};

const refuseFor = (attributes: AdmissionAttributes, verb: string, errors: readonly unknown[]) =>
  refuse(attributes, `PodSecurityPolicy: unable to ${verb} pod: [${errors.map(String).join(' ')}]`);

/**
 * The pod that a write makes. Undefined when it makes none, and when the garbage collector could have made it: who owned a
 * pod, and what its deletion waits for, gives it no rights.
 */
async function writtenPod(attributes: AdmissionAttributes, read: AdmissionReader): Promise<Pod | undefined> {
  const { resource, subresource, namespace, name } = attributes;
  if (resource.group !== '' || resource.resource !== 'pods' || attributes.isRepeated === true) {
    return undefined;
  }
  if (subresource === 'ephemeralcontainers') {
    const { object } = objectsOf<EphemeralContainers>(attributes);
    // Where other servers write too, this waits until theirs are visible.
    await read.current('', 'pods', namespace, name);
    const stored = read.get<Pod>('', 'pods', namespace, name);
    if (object === undefined || stored === undefined) return undefined;
    return { ...stored, spec: { ...stored.spec, ephemeralContainers: object.ephemeralContainers ?? [] } };
  }
  const pod = podOf(attributes);
  const { oldObject } = objectsOf<Pod>(attributes);
  if (pod === undefined || oldObject === undefined) return pod;
  return changesOwnersOnly(pod, oldObject) ? undefined : pod;
}
