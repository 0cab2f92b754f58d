import { expect } from 'chai';
import type { ServedKind } from '../../../../src/registry/index.ts';
import { patchFormat } from '../../../../src/server/handlers/read-patch.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';

describe('patchFormat', () => {
  // Nothing else is looked at.
  const served = (fieldManager: object | undefined) => ({ store: { fieldManager } }) as unknown as ServedKind;
  const formatOf = (type: string | undefined, manager: object | undefined = {}) =>
    patchFormat(
      makeExchange({ headers: type === undefined ? {} : { 'content-type': type } }),
      served(manager),
    );

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

  it('refuses a configuration where owners are not recorded', () =>
    expectStatus(
      () =>
        patchFormat(
          makeExchange({ headers: { 'content-type': 'application/apply-patch+yaml' } }),
          served(undefined),
        ),
      refusal,
    ));
});
