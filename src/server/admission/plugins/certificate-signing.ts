import type { CertificateSigningRequest } from '../../../apis/types/certificates-v1beta1.ts';
import { deepEqual } from '../../../apis/validation/index.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import { certificateRequestOf, maySign } from './certificate-requests.ts';

/** Putting a certificate or conditions into a request's status needs the permission `sign` on its signer. */
export function certificateSigning(sources: PluginSources): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: onOperations('UPDATE'),
    // Every update passes here: no promise for those of other resources.
    validate(attributes) {
      const request = certificateRequestOf(sources, attributes, 'status');
      return request && checkStatus(attributes, request);
    },
  };

  async function checkStatus(attributes: AdmissionAttributes, request: CertificateSigningRequest) {
    const old = attributes.oldObject as CertificateSigningRequest; // of the same resource
    const isSame =
      request.status.certificate === old.status.certificate &&
      deepEqual(request.status.conditions, old.status.conditions);
    if (isSame) return;
    const signerName = old.spec.signerName ?? '';
    if (await maySign(sources, attributes, { verb: 'sign', signerName })) return;
    throw refuse(attributes, `user not permitted to sign requests with signerName ${quoteGo(signerName)}`);
  }
}
