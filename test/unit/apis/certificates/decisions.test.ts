import { expect } from 'chai';
import { update } from '../rule-fixture.ts';
import { signingRequestWrites } from './signing-request-writes.ts';

const kind = 'certificates.orch.io/v1beta1.CertificateSigningRequest';
const valid = signingRequestWrites[0]?.body.spec as object; // the first case has a valid spec
const time = '2020-01-01T00:00:00Z';

const condition = (type: string, fields: object = {}) => ({
  type,
  status: 'True',
  lastUpdateTime: time,
  lastTransitionTime: time,
  ...fields,
});
const pem = (label: string, text = '') =>
  Buffer.from(`-----BEGIN ${label}-----\n${text}-----END ${label}-----\n`).toString('base64');
const first = pem('CERTIFICATE', 'MAA=\n');
const second = pem('CERTIFICATE', 'MAMCAQE=\n');

/** What comes of a write of a status in a version to a request that has another one. */
function write(way: 'status' | 'approval', version: string, before: object, after: object, spec = valid) {
  const requestApiVersion = `certificates.orch.io/${version}`;
  const { object, errors } = update(
    kind,
    { spec, status: before },
    { spec, status: after },
    { way, requestApiVersion },
  );
  const { conditions } = object.status as { conditions?: unknown }; // the decoded object has a status
  return { conditions, errors };
}

const versions = ['v1', 'v1beta1'];

describe('kindRules of signing requests: decisions', () => {
  for (const version of versions) {
    it(`stay as they are when the status is written in ${version}`, () => {
      const before = { conditions: [condition('Failed'), condition('Approved')] };
      const after = {
        conditions: [condition('Approved', { reason: 'R' }), condition('Failed', { reason: 'R' })],
      };
      const { conditions, errors } = write('status', version, before, after);
      expect(errors).to.deep.equal([]);
      expect(conditions).to.deep.equal([condition('Approved'), condition('Failed', { reason: 'R' })]);
    });

    it(`may be worded anew by approval in ${version}, and not taken back`, () => {
      const before = { conditions: [condition('Approved'), condition('Failed')] };
      const after = { conditions: [condition('Approved', { message: 'm' }), condition('Failed')] };
      expect(write('approval', version, before, after).errors).to.deep.equal([]);
      expect(write('approval', version, before, {}).errors).to.deep.equal([
        'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
        'status.conditions: Forbidden: updates may not remove a condition of type "Failed"',
      ]);
    });
  }

  it('are refused in v1 when the status adds or takes back some', () => {
    const before = { conditions: [condition('Approved')] };
    expect(write('status', 'v1', before, { conditions: [condition('Denied')] }).errors).to.deep.equal([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
      'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
    ]);
  });

  it('bring back all conditions in v1beta1 when the status adds or takes back some', () => {
    const before = { conditions: [condition('Approved')] };
    const after = { conditions: [condition('Denied'), condition('Other')] };
    expect(write('status', 'v1beta1', before, after)).to.deep.equal({ ...before, errors: [] });
  });

  it('may go both ways, and types may be missing or come twice, where they did', () => {
    const odd = [condition('Approved'), condition('Denied'), condition(''), condition('A'), condition('A')];
    const after = { conditions: [...odd, condition('B'), condition('B'), condition('')] };
    expect(write('status', 'v1', { conditions: odd }, after).errors).to.deep.equal([]);
    expect(
      write('status', 'v1', {}, { conditions: [condition(''), condition('A'), condition('A')] }).errors,
    ).to.deep.equal([
      'status.conditions[0].type: Required value',
      'status.conditions[2].type: Duplicate value: "A"',
    ]);
  });

  it('keep the time of a transition to a status that they had', () => {
    const before = { conditions: [condition('A'), condition('A', { status: 'False' })] };
    const after = { conditions: [condition('A', { lastTransitionTime: null })] };
    expect(write('status', 'v1beta1', before, after).conditions).to.deep.equal([condition('A')]);
  });
});

describe('kindRules of signing requests: certificates', () => {
  it('stay once they were issued in v1, and may be issued again in v1beta1', () => {
    const [before, after] = [{ certificate: first }, { certificate: second }];
    expect(write('status', 'v1', before, after).errors).to.deep.equal([
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ]);
    expect(write('status', 'v1beta1', before, after).errors).to.deep.equal([]);
  });

  it('are looked at in v1, unless the stored one is wrong too', () => {
    const empty = { certificate: pem('CERTIFICATE') };
    expect(write('status', 'v1', {}, empty).errors).to.deep.equal([
      'status.certificate: Invalid value: "<certificate data>": found CERTIFICATE PEM block containing 0 certificates',
    ]);
    expect(write('status', 'v1beta1', {}, empty).errors).to.deep.equal([]);
    expect(write('status', 'v1', { certificate: pem('KEY') }, empty).errors).to.deep.equal([
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ]);
  });
});
