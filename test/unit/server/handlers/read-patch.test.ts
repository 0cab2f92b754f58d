import { expect } from 'chai';
import type { ServedKind } from '../../../../src/registry/index.ts';
import { patchFormat } from '../../../../src/server/handlers/read-patch.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';

describe('patchFormat', () => {
  // Nothing else is looked at.
  const served = (fieldManager: object | undefined, isUnstructured = false) =>
    ({ store: { fieldManager }, type: { isUnstructured } }) as unknown as ServedKind;
  const exchangeOf = (type: string | undefined) =>
    makeExchange({
      headers: { 'content-length': '2', ...(type === undefined ? {} : { 'content-type': type }) },
    });
  const formatOf = (type: string | undefined, manager: object | undefined = {}) =>
    patchFormat(exchangeOf(type), served(manager));

  const known: [type: string, format: string][] = [
    ['application/json-patch+json', 'json'],
    ['application/merge-patch+json', 'merge'],
    ['application/strategic-merge-patch+json; charset=utf-8', 'strategic'],
    ['application/apply-patch+yaml', 'apply'],
  ];
  for (const [type, format] of known) {
    it(`knows ${type}`, () => expect(formatOf(type)).to.equal(format));
  }

  const refusal = {
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
  } as const;
  for (const type of [undefined, '', 'text/plain', 'application/json', 'constructor/x']) {
    it(`refuses ${type}`, () => expectStatus(() => formatOf(type), refusal));
  }

  it('says of nothing, or of what has no length, that it is not accepted', () =>
    expectStatus(() => patchFormat(makeExchange({ headers: { 'content-type': 'text/plain' } }), served({})), {
      code: 406,
      reason: 'NotAcceptable',
      message: '406: Not Acceptable',
    }));

  for (const type of [undefined, 'text/plain', 'application/strategic-merge-patch+json']) {
    it(`names what unstructured kinds take instead of ${type}`, () =>
      expectStatus(() => patchFormat(exchangeOf(type), served({}, true)), {
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      }));
  }

  it('refuses a configuration where owners are not recorded', () =>
    expectStatus(() => patchFormat(exchangeOf('application/apply-patch+yaml'), served(undefined)), refusal));
});
