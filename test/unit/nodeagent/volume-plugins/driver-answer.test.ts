import { expect } from 'chai';
import fc from 'fast-check';
import { DriverError, parseDriverAnswer } from '../../../../src/nodeagent/volume-plugins/driver-answer.ts';

describe('parseDriverAnswer', () => {
  it('reads what a driver can do, and fills in what it does not say', () => {
    const text = '{"status": "Success", "capabilities": {"attach": false, "supportsMetrics": true}}';
    expect(parseDriverAnswer('init', text)?.capabilities).to.deep.equal({
      attach: false,
      selinuxRelabel: true,
      supportsMetrics: true,
      fsGroup: true,
      requiresFSResize: true,
    });
    expect(parseDriverAnswer('init', '{"status":"Success"}')?.capabilities.attach).to.equal(true);
  });

  it('does not care about case in names of fields', () => {
    expect(parseDriverAnswer('attach', '{"Status":"Success","DEVICE":"/dev/x"}')?.device).to.equal('/dev/x');
  });

  it('tells a command that the driver does not have from one that fails', () => {
    expect(parseDriverAnswer('attach', ' {"status":"Not supported"}\n')).to.equal(undefined);
  });

  const refusals: readonly [string, string][] = [
    ['{"status":"Failure","message":"no disk"}', 'mount command failed, status: Failure, reason: no disk'],
    ['{"message":"x"}', 'mount command failed, status: , reason: x'],
    ['{}', 'mount command failed, status: , reason: '],
    ['', 'unexpected end of JSON input'],
    ['{"status":', 'unexpected end of JSON input'],
    ['mount: bad option', "invalid character 'm' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal the answer: it is not an object'],
    ['null', 'json: cannot unmarshal the answer: it is not an object'],
    ['{"status":1}', 'json: cannot unmarshal the answer: field status is not of type string'],
    [
      '{"status":"Success","capabilities":{"attach":"no"}}',
      'json: cannot unmarshal the answer: field attach is not of type bool',
    ],
  ];
  for (const [text, message] of refusals) {
    it(`refuses ${text || 'nothing'}`, () => {
      expect(() => parseDriverAnswer('mount', text)).to.throw(DriverError, message);
    });
  }

  it('understands any text or refuses it with its own error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseDriverAnswer('mount', text);
        } catch (error) {
          expect(error).to.be.instanceOf(DriverError);
        }
      }),
    );
  });
});
