import type {
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../types/admissionregistration-v1.ts';
import type { APIService } from '../../types/apiregistration-v1.ts';
import type { Lease } from '../../types/coordination-v1beta1.ts';
import type { StorageVersion } from '../../types/internal-apiserver-v1alpha1.ts';
import type { ObjectMeta } from '../../types/meta-v1.ts';
import type { RuntimeClass as RuntimeClassAlpha } from '../../types/node-v1alpha1.ts';
import type { RuntimeClass } from '../../types/node-v1beta1.ts';
import type { PodDisruptionBudget } from '../../types/policy-v1beta1.ts';
import type { PriorityClass } from '../../types/scheduling-v1.ts';
import { ageSince } from '../age.ts';
import { formatFirst } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

/** Rows of registrations. */
export const apiServicePrinter: RowPrinter<APIService> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    spec.service === undefined ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
    formatAvailable(status),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

function formatAvailable({ conditions }: APIService['status']): string {
  const available = conditions?.find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  return available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`;
}

/** Rows of leases. */
export const leasePrinter: RowPrinter<Lease> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec.holderIdentity ?? '',
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of priority classes. */
export const priorityClassPrinter: RowPrinter<PriorityClass> = {
  cells: ({ metadata, value, globalDefault }, { nowMs }) => [
    metadata.name ?? '',
    value,
    globalDefault ?? false,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of runtime classes; the alpha version has the handler in a `spec`. */
export const runtimeClassPrinter: RowPrinter<RuntimeClass & Partial<Pick<RuntimeClassAlpha, 'spec'>>> = {
  cells: ({ metadata, handler, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec?.runtimeHandler ?? handler,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of disruption budgets. */
export const podDisruptionBudgetPrinter: RowPrinter<PodDisruptionBudget> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    String(spec.minAvailable ?? 'N/A'),
    String(spec.maxUnavailable ?? 'N/A'),
    status.disruptionsAllowed,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

interface WebhookConfiguration {
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly unknown[] | null | undefined;
}

/** Rows of webhook configurations, validating and mutating. */
export const webhookConfigurationPrinter: RowPrinter<WebhookConfiguration> = {
  cells: ({ metadata, webhooks }, { nowMs }) => [
    metadata.name ?? '',
    webhooks?.length ?? 0,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of admission policies. */
export const admissionPolicyPrinter: RowPrinter<ValidatingAdmissionPolicy> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec.validations?.length ?? 0,
    spec.paramKind === undefined ? '<unset>' : `${spec.paramKind.apiVersion}/${spec.paramKind.kind}`,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of bindings of admission policies. */
export const policyBindingPrinter: RowPrinter<ValidatingAdmissionPolicyBinding> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec.policyName ?? '',
    paramText(spec.paramRef),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

function paramText(ref: ParamRef | undefined): string {
  if (ref === undefined) return '<unset>';
  const name = ref.name || '*';
  return ref.namespace ? `${ref.namespace}/${name}` : name;
}

/** Rows of storage versions. */
export const storageVersionPrinter: RowPrinter<StorageVersion> = {
  cells({ metadata, status }, { nowMs }) {
    const versions = status.storageVersions ?? [];
    const texts = versions.map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    );
    return [
      metadata.name ?? '',
      status.commonEncodingVersion ?? '<unset>',
      formatFirst(texts, texts.length) || '<unset>',
      ageSince(metadata.creationTimestamp, nowMs),
    ];
  },
};
