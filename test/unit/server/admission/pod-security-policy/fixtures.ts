import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../../src/machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../../../src/registry/index.ts';
import { PodSecurityPolicies } from '../../../../../src/server/admission/index.ts';
import { pod, readerOf, run, write } from '../fixtures.ts';

const anything = { rule: 'RunAsAny' };
/** A policy that restricts nothing but what `spec` says. */
export const policy = (name: string, spec: object = {}, annotations: object = {}): ApiObject =>
  ({
    kind: 'PodSecurityPolicy',
    apiVersion: 'policy/v1beta1',
    metadata: { name, annotations },
    spec: {
      seLinux: anything,
      runAsUser: anything,
      supplementalGroups: anything,
      fsGroup: anything,
      ...spec,
    },
  }) as ApiObject;

export interface PolicyRun {
  readonly policies: readonly ApiObject[];
  /** Who may use which policies: `USER GROUP/POLICY@NAMESPACE`; everybody all when left out. */
  readonly grants?: readonly string[];
  readonly gates?: readonly string[];
  readonly stored?: readonly object[];
}

/** What became of a write: the refusal behind the name of the pod, what was asked, and what the audit log is told. */
export async function admitWith(
  setup: PolicyRun,
  parts: Partial<AdmissionAttributes>,
): Promise<{ readonly message: string | undefined; readonly asked: string[]; readonly audited: object }> {
  const asked: string[] = [];
  const audited: Record<string, string> = {};
  const plugin = new PodSecurityPolicies({
    authorizer: {
      authorize({ user, request: { verb, group, resource, namespace, name } }) {
        const question = `${user.name} ${group}/${name}@${namespace}`;
        asked.push(question);
        if (verb !== 'use' || resource !== 'podsecuritypolicies') throw new Error(`asked about ${verb}`);
        return { isAllowed: setup.grants?.includes(question) ?? true, reason: '' };
      },
    },
    read: readerOf({ 'policy/podsecuritypolicies': setup.policies, '/pods': setup.stored ?? [] }),
    dialect: orchDialect,
    gates: new Set(setup.gates ?? ['RunAsGroup', 'EphemeralContainers']),
  });
  const request = {
    fieldManager: '',
    signal: new AbortController().signal,
    deadlineMs: 0,
    hasAsked: false,
    warn() {},
    annotate(key: string, value: string) {
      audited[key] = value;
    },
  };
  const status = await run(write({ request, ...parts }), {
    plugins: ['PodSecurityPolicy'],
    options: { more: [plugin] },
  });
  return { message: status?.message?.replace('pods "p" is forbidden: ', ''), asked, audited };
}

/** A new pod that one policy decides about: what it becomes, or what is said against it. */
export async function measure(
  policySpec: object,
  podSpec: object,
  { policyAnnotations = {}, annotations = {}, gates }: MeasureOptions = {},
): Promise<{ readonly spec: object; readonly annotations: Record<string, string> } | string> {
  const object = pod(structuredClone(podSpec), { name: 'p', namespace: 'default', annotations });
  const policies = [policy('only', policySpec, policyAnnotations)];
  const { message } = await admitWith({ policies, ...(gates && { gates }) }, { object });
  if (message !== undefined)
    return message.replace(/^PodSecurityPolicy: unable to admit pod: \[(.*)\]$/s, '$1');
  const { spec } = object as unknown as { readonly spec: object }; // what `pod` made
  const { 'orch.io/psp': name, ...others } = object.metadata.annotations ?? {};
  if (name !== 'only') throw new Error(`admitted by ${name}`);
  return { spec, annotations: others };
}

interface MeasureOptions {
  readonly policyAnnotations?: object;
  readonly annotations?: object;
  readonly gates?: readonly string[];
}
