import { parseCertificateRequest } from '../../../apis/defaults/index.ts';
import type { CertificateSigningRequest } from '../../../apis/types/certificates-v1beta1.ts';
import { deepEqual } from '../../../apis/validation/index.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';

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

/** The certificate request of a write to this subresource ('' for the request itself); else undefined. */
function certificateRequestOf(
  { dialect }: Pick<PluginSources, 'dialect'>,
  attributes: AdmissionAttributes,
  wanted: '' | 'approval' | 'status',
): CertificateSigningRequest | undefined {
  const { resource, subresource } = attributes;
  if (resource.resource !== 'certificatesigningrequests' || subresource !== wanted) return undefined;
  if (resource.group !== dialect.group('certificates')) return undefined;
  // Requests are stored in this version.
  return attributes.object as CertificateSigningRequest | undefined;
}

/** Whether the user may act for a signer: by its name, or for all signers of its domain. */
async function maySign(
  { dialect, options }: PluginSources,
  { user }: AdmissionAttributes,
  { verb, signerName }: { readonly verb: 'approve' | 'sign'; readonly signerName: string },
): Promise<boolean> {
  const { isAllowed } = options;
  if (isAllowed === undefined) return true;
  const question = { user, verb, group: dialect.group('certificates'), resource: 'signers' };
  if (await isAllowed({ ...question, name: signerName })) return true;
  const domain = signerName.split('/', 1)[0] ?? '';
  return isAllowed({ ...question, name: `${domain}/*` });
}
