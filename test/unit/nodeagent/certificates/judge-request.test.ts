import { expect } from 'chai';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestStatus,
} from '../../../../src/apis/types/certificates-v1.ts';
import { judgeRequest } from '../../../../src/nodeagent/certificates/judge-request.ts';

const request = (status: CertificateSigningRequestStatus): CertificateSigningRequest => ({
  apiVersion: 'certificates.orch.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: {},
  spec: { request: null, signerName: 's' },
  status,
});
const condition = (type: string) => ({ type, status: 'True', reason: 'R', message: 'M' });
const certificate = Buffer.from('pem').toString('base64');

describe('judgeRequest', () => {
  const cases: readonly (readonly [
    what: string,
    status: CertificateSigningRequestStatus,
    verdict: object,
  ])[] = [
    ['nothing was decided', {}, { kind: 'pending' }],
    ['approved, not signed', { conditions: [condition('Approved')] }, { kind: 'pending' }],
    ['signed, not approved', { certificate }, { kind: 'pending' }],
    [
      'approved and signed',
      { conditions: [condition('Approved')], certificate },
      { kind: 'issued', certificatePem: 'pem' },
    ],
    [
      'denied after all',
      { conditions: [condition('Approved'), condition('Denied')], certificate },
      { kind: 'refused', message: 'certificate signing request is denied, reason: R, message: M' },
    ],
    [
      'failed to be signed',
      { conditions: [condition('Approved'), condition('Failed')] },
      { kind: 'refused', message: 'certificate signing request failed, reason: R, message: M' },
    ],
  ];
  for (const [what, status, verdict] of cases) {
    it(`says ${JSON.stringify(Object.values(verdict)[0])}: ${what}`, () => {
      expect(judgeRequest(request(status))).to.deep.equal(verdict);
    });
  }
});
