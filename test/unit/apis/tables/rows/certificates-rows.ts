import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const certificatesRows: readonly RowCase[] = [
  [
    'certificates.orch.io/v1.CertificateSigningRequest',
    'certificatesigningrequests',
    { spec: { signerName: 'example.com/signer', username: 'admin' } },
    ['a', '30s', 'example.com/signer', 'admin', 'Pending'],
  ],
  [
    'certificates.orch.io/v1beta1.CertificateSigningRequest',
    'certificatesigningrequests',
    { spec: { signerName: 'example.com/signer', username: 'admin' } },
    ['a', '30s', 'example.com/signer', 'admin', 'Pending'],
  ],
];
