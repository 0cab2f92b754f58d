import { quoteGo } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import { certificateRequestOf, maySign } from './certificate-requests.ts';

/** Approving or denying a certificate request needs the permission `approve` on its signer. */
export function certificateApproval(sources: PluginSources): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: onOperations('UPDATE'),
    // Every update passes here: no promise for those of other resources.
    validate(attributes) {
      const request = certificateRequestOf(sources, attributes, 'approval');
      return request && checkSigner(attributes, request.spec.signerName ?? '');
    },
  };

  async function checkSigner(attributes: AdmissionAttributes, signerName: string) {
    if (await maySign(sources, attributes, { verb: 'approve', signerName })) return;
    throw refuse(attributes, `user not permitted to approve requests with signerName ${quoteGo(signerName)}`);
  }
}
