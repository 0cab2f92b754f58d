import { parseCertificateRequest } from '../../../apis/defaults/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import { certificateRequestOf } from './certificate-requests.ts';

const privilegedGroup = 'system:masters';

/** No client certificate of the API server's own signer may carry the group that may do everything. */
export function certificateSubjectRestriction(sources: PluginSources): AdmissionPlugin {
  const clientSigner = sources.dialect.label(sources.dialect.spell('orch-apiserver-client'));
  return {
    name: 'CertificateSubjectRestriction',
    handles: onOperations('CREATE'),
    validate(attributes) {
      const request = certificateRequestOf(sources, attributes, '');
      if (request?.spec.signerName !== clientSigner) return;
      const parsed = parseCertificateRequest(request.spec.request ?? '');
      if (parsed === undefined) {
        throw refuse(attributes, 'failed to parse CSR: PEM block type must be CERTIFICATE REQUEST');
      }
      if (!parsed.organizations.includes(privilegedGroup)) return;
      throw refuse(attributes, `use of ${clientSigner} signer with ${privilegedGroup} group is not allowed`);
    },
  };
}
