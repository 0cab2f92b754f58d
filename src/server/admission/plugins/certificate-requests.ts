import type { CertificateSigningRequest } from '../../../apis/types/certificates-v1beta1.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';

/** The certificate request of a write to this subresource ('' for the request itself); else undefined. */
export function certificateRequestOf(
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
export async function maySign(
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
