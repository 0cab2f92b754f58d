import { label1123, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const signingRequestWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'certificates.orch.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'csr-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        request:
          'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1pEQ0NBVXdDQVFBd0h6RU5NQXNHQTFVRUNnd0VaR1YyY3pFT01Bd0dBMVVFQXd3RllXeHBZMlV3Z2dFaQpNQTBHQ1NxR1NJYjNEUUVCQVFVQUE0SUJEd0F3Z2dFS0FvSUJBUUNjekMxRW1Xc2lRbEl4M1J4cDNyeDN1K1JDCithY00yTStiWGNvMGFVaW1MMytUSW00TmFGRjhtM2lSUHpMcFQ2djZnd2phQ1dxWVJWMnRKL0Y1R2RXL2ZwdVkKUFliZVpKMHF1QU1KMGxZYmQyRFdOT3VyUnhwVjhWU1VUZmQ3TmhEczVSZVVKVUVCVktGdnJvTExBMEFjNVlqdgo1UC9xRnVuUDN6eEY4WFBUNk13MFpsV0g3enN1cFhuSGNGTWkzTm9tcmVNYWZoSEFQa1hpQ3g1TVJGaTJ2a1dzCkhZeTNndk4zUE9GN2EraXVCWitsK3Jka0h6Z3VxL0w1Y3VjdWJXR0ZuSUNNOCsrUGRRckU2bFlWVzFBZUZTdEcKelNDbCtWNGp2UEkzbXJiN0RJNTIyRFZRQ2NXd2RWZnplQjhKdkR3TGFyZVYrN0FLRDBjS3Mzb1ZJaWE3QWdNQgpBQUdnQURBTkJna3Foa2lHOXcwQkFRc0ZBQU9DQVFFQWNyN1Z3L2xFSGg4WTRJUmZJVGRnOFpmYTlOY1UyZW0yCjhmVXovNXU5cGN5UkFzNHZNb3BySEhxaTlxWmxKQVEzRXVOTmNvS0UrbHlGYTh5djNFaEJZenJJalg4WEZZYTAKMEoweUl4aGx2TlYwb2t3NVVWcGI1eHcxcFlLQkZva0FIOE1ORHNNbE5Id2s0Uk43Y1EwVXN0MUp3dzlCaXgrdgpzVW5EaE1tZXRKOU1Lc3VDWVRCWi9nVXBkVnNZTnVmZ0hnSHA3U2xBdGJ4S3ovS1hYUk5nRndyTnhyemZQN2FmCm9sdnVtMk9ueTUrczBJZjFQeU9uNWt4Nm1zNGk1RExJN0VmYWhRT3RBdFZkRk4zWThBOTVpdDEreW5STXdHbEkKcTl0UjRNczFJTjJVY2hZMmhwVHpLdlMzUXVzR1FMelQ3OThNeE9BRDJLNmwyWDdpbmtPZi9nPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
        signerName: 'example.com/signer',
        usages: ['digital signature', 'key encipherment', 'client auth'],
        username: 'ignored',
        groups: ['g'],
        extra: { k: ['v'] },
      },
    },
    status: {
      conditions: [
        {
          type: 'Approved',
          status: 'True',
          reason: 'R',
          message: 'm',
          lastUpdateTime: '2020-01-01T00:00:00Z',
          lastTransitionTime: '2020-01-01T00:00:00Z',
        },
      ],
    },
    accepted: [{ '/spec/username': '../x' }, { '/spec/username': 'changed' }],
    refused: [
      [
        { '/spec/signerName': 'sample' },
        [
          `spec.signerName: Invalid value: "sample": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
        ],
      ],
      [
        { '/spec/signerName': 'A_.b_.com/a..c_' },
        [
          `spec.signerName: Invalid value: "A_.b_.com": validating label "A_": ${label1123}`,
          `spec.signerName: Invalid value: "a..c_": validating label "": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/signerName': `${'a'.repeat(260)}/b` },
        [
          'spec.signerName: Too long: must have at most 253 bytes',
          `spec.signerName: Invalid value: "${'a'.repeat(260)}": validating label "${'a'.repeat(260)}": must be no more than 63 characters`,
          `spec.signerName: Invalid value: "${'a'.repeat(260)}": should be a domain with at least two segments separated by dots`,
        ],
      ],
      [
        { '/spec/usages': ['any', 'any', 'Bogus'] },
        [
          'spec.usages[2]: Unsupported value: "Bogus": supported values: <any>',
          'spec.usages[1]: Duplicate value: "any"',
        ],
      ],
      [
        { '/spec/usages/2': 'Bogus' },
        [
          'spec.usages[2]: Unsupported value: "Bogus": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"',
        ],
      ],
      [
        { '/spec/request': 'eAD/' },
        ['spec.request: Invalid value: []byte{0x78, 0x0, 0xff}: PEM block type must be CERTIFICATE REQUEST'],
      ],
      [
        { '/spec/request': '' },
        ['spec.request: Invalid value: []byte{}: PEM block type must be CERTIFICATE REQUEST'],
      ],
      [
        { '/spec': null },
        [
          'spec.request: Invalid value: []byte(nil): PEM block type must be CERTIFICATE REQUEST',
          'spec.usages: Required value: usages must be provided',
          'spec.signerName: Required value: signerName must be provided',
        ],
      ],
    ],
    changed: [{ '/spec/groups/0': 'changed' }, { '/spec/uid': 'UpperCase' }, { '/spec': undefined }],
    statusKept: [
      [
        { '/status/conditions/0/lastUpdateTime': undefined },
        ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'certificates.orch.io/v1beta1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'csr-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        request:
          'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1pEQ0NBVXdDQVFBd0h6RU5NQXNHQTFVRUNnd0VaR1YyY3pFT01Bd0dBMVVFQXd3RllXeHBZMlV3Z2dFaQpNQTBHQ1NxR1NJYjNEUUVCQVFVQUE0SUJEd0F3Z2dFS0FvSUJBUUNjekMxRW1Xc2lRbEl4M1J4cDNyeDN1K1JDCithY00yTStiWGNvMGFVaW1MMytUSW00TmFGRjhtM2lSUHpMcFQ2djZnd2phQ1dxWVJWMnRKL0Y1R2RXL2ZwdVkKUFliZVpKMHF1QU1KMGxZYmQyRFdOT3VyUnhwVjhWU1VUZmQ3TmhEczVSZVVKVUVCVktGdnJvTExBMEFjNVlqdgo1UC9xRnVuUDN6eEY4WFBUNk13MFpsV0g3enN1cFhuSGNGTWkzTm9tcmVNYWZoSEFQa1hpQ3g1TVJGaTJ2a1dzCkhZeTNndk4zUE9GN2EraXVCWitsK3Jka0h6Z3VxL0w1Y3VjdWJXR0ZuSUNNOCsrUGRRckU2bFlWVzFBZUZTdEcKelNDbCtWNGp2UEkzbXJiN0RJNTIyRFZRQ2NXd2RWZnplQjhKdkR3TGFyZVYrN0FLRDBjS3Mzb1ZJaWE3QWdNQgpBQUdnQURBTkJna3Foa2lHOXcwQkFRc0ZBQU9DQVFFQWNyN1Z3L2xFSGg4WTRJUmZJVGRnOFpmYTlOY1UyZW0yCjhmVXovNXU5cGN5UkFzNHZNb3BySEhxaTlxWmxKQVEzRXVOTmNvS0UrbHlGYTh5djNFaEJZenJJalg4WEZZYTAKMEoweUl4aGx2TlYwb2t3NVVWcGI1eHcxcFlLQkZva0FIOE1ORHNNbE5Id2s0Uk43Y1EwVXN0MUp3dzlCaXgrdgpzVW5EaE1tZXRKOU1Lc3VDWVRCWi9nVXBkVnNZTnVmZ0hnSHA3U2xBdGJ4S3ovS1hYUk5nRndyTnhyemZQN2FmCm9sdnVtMk9ueTUrczBJZjFQeU9uNWt4Nm1zNGk1RExJN0VmYWhRT3RBdFZkRk4zWThBOTVpdDEreW5STXdHbEkKcTl0UjRNczFJTjJVY2hZMmhwVHpLdlMzUXVzR1FMelQ3OThNeE9BRDJLNmwyWDdpbmtPZi9nPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
        signerName: 'example.com/signer',
        usages: ['digital signature', 'key encipherment', 'client auth'],
        username: 'ignored',
        groups: ['g'],
        extra: { k: ['v'] },
      },
    },
    status: {
      conditions: [
        {
          type: 'Approved',
          status: 'True',
          reason: 'R',
          message: 'm',
          lastUpdateTime: '2020-01-01T00:00:00Z',
          lastTransitionTime: '2020-01-01T00:00:00Z',
        },
      ],
    },
    accepted: [
      { '/spec/usages/2': '../x' },
      { '/spec/usages': ['a b', ' '] },
      { '/spec/usages/0': 'email protection' },
      { '/metadata/name': 'a.' },
    ],
    refused: [
      [{ '/metadata/name': 'a%b' }, ['metadata.name: Invalid value: "a%b": may not contain \'%\'']],
      [
        { '/metadata/name': 'a%b', '/spec/signerName': '' },
        ['spec.signerName: Required value: signerName must be provided'],
      ],
    ],
    changed: [{ '/spec/usages/1': 'ocsp signing' }],
    statusChanged: [
      { '/status/conditions/0/type': 'Denied' },
      { '/status/conditions/0/lastUpdateTime': undefined },
      { '/status/conditions/0/message': 'a'.repeat(300) },
    ],
  },
];
