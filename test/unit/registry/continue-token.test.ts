import { expect } from 'chai';
import fc from 'fast-check';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import { decodeContinue, encodeContinue } from '../../../src/registry/continue-token.ts';

const group = 'meta.orch.io';

describe('continue tokens', () => {
  it('say where a list goes on, whatever the names', () => {
    const name = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?$/).filter((text) => text !== '..');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        name,
        name,
        (revision, namespace, own) => {
          const position = { revision, startKey: `${namespace}/${own}` };
          expect(decodeContinue(encodeContinue(position, group), group)).to.deep.equal(position);
        },
      ),
    );
  });

  it('are safe in a query as they are', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (startKey) => {
        expect(encodeContinue({ revision: 1, startKey }, group)).to.match(/^[\w-]+$/);
      }),
    );
  });

  it('are refused with 400 when they are anything else, without a crash', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (text) => {
          try {
            decodeContinue(text, group);
            throw new Error(`${text} was taken for a token`);
          } catch (error) {
            expect(error).to.be.instanceOf(StatusError);
            expect((error as StatusError).code).to.equal(400);
          }
        },
      ),
    );
  });

  it('of another dialect are refused', () => {
    const token = encodeContinue({ revision: 1, startKey: 'a' }, 'meta.other');
    expect(() => decodeContinue(token, group)).to.throw(
      'server does not recognize this encoded version "meta.other/v1"',
    );
  });
});
