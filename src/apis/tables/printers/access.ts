import type { CertificateSigningRequest } from '../../types/certificates-v1beta1.ts';
import type { ObjectMeta } from '../../types/meta-v1.ts';
import type { PodSecurityPolicy } from '../../types/policy-v1beta1.ts';
import type { RoleRef, Subject } from '../../types/rbac-authorization-v1.ts';
import { ageSince } from '../age.ts';
import { orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

interface Binding {
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[] | null | undefined;
  readonly roleRef: RoleRef;
}

/** Rows of role bindings, of namespaces and of the cluster. */
export const bindingPrinter: RowPrinter<Binding> = {
  cells: ({ metadata, subjects, roleRef }, { nowMs }) => {
    const named = (kind: string): Subject[] => (subjects ?? []).filter((subject) => subject.kind === kind);
    return [
      metadata.name ?? '',
      `${roleRef.kind}/${roleRef.name}`,
      ageSince(metadata.creationTimestamp, nowMs),
      named('User')
        .map(({ name }) => name)
        .join(', '),
      named('Group')
        .map(({ name }) => name)
        .join(', '),
      named('ServiceAccount')
        .map(({ namespace, name }) => `${namespace ?? ''}/${name}`)
        .join(', '),
    ];
  },
};

/** Rows of certificate requests. */
export const certificateSigningRequestPrinter: RowPrinter<CertificateSigningRequest> = {
  cells: (request, { nowMs }) => [
    request.metadata.name ?? '',
    ageSince(request.metadata.creationTimestamp, nowMs),
    orNone(request.spec.signerName),
    request.spec.username ?? '',
    formatCondition(request),
  ],
};

function formatCondition({ status }: CertificateSigningRequest): string {
  const types = new Set((status.conditions ?? []).map(({ type }) => type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const isIssued = status.certificate !== undefined && status.certificate !== '';
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${isIssued ? ',Issued' : ''}`;
}

/** Rows of pod security policies. */
export const podSecurityPolicyPrinter: RowPrinter<PodSecurityPolicy> = {
  cells: ({ metadata, spec }) => [
    metadata.name ?? '',
    String(spec.privileged ?? false),
    (spec.allowedCapabilities ?? []).join(','),
    spec.seLinux.rule,
    spec.runAsUser.rule,
    spec.fsGroup.rule ?? '',
    spec.supplementalGroups.rule ?? '',
    spec.readOnlyRootFilesystem ?? false,
    (spec.volumes ?? []).join(','),
  ],
};
