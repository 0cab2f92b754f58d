import { expect } from 'chai';
import fc from 'fast-check';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import { type ContinuePosition, createContinueTokens } from '../../../src/registry/continue-token.ts';
import { expectStatus } from '../../support/expect-status.ts';

const metaGroup = 'meta.orch.io';
const prefix = '/registry/pods/a/';
const tokens = createContinueTokens({ metaGroup, key: Buffer.from('secret') });
const notOurs = 'invalid continue token: continue key is not valid: it was not made for this list';

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?$/);
const position: fc.Arbitrary<ContinuePosition> = fc.record({
  revision: fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constant(undefined)),
  startKey: fc.tuple(name, name).map(([namespace, own]) => `${namespace}/${own}\0`),
  left: fc.option(fc.nat(), { nil: undefined }),
  begunAtMs: fc.option(fc.nat(), { nil: undefined }),
});
const fieldsOf = (text: string) =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('continue tokens', () => {
  it('say where a list goes on, whatever the names', () => {
    fc.assert(
      fc.property(position, (where) => {
        const text = tokens.encode(where, prefix);
        expect(text).to.match(/^[\w-]+$/);
        expect(tokens.decode(text, prefix)).to.deep.equal(where);
      }),
    );
  });

  it('have the format of the reference', () => {
    const { sig, ...fields } = fieldsOf(tokens.encode({ revision: 7, startKey: 'x\0' }, prefix));
    expect(fields).to.deep.equal({ v: 'meta.orch.io/v1', rv: 7, start: 'x\0' });
    expect(sig).to.match(/^[\w-]{22}$/);
    expect(fieldsOf(tokens.encode({ revision: undefined, startKey: 'x' }, prefix))).to.include({ rv: -1 });
  });

  it('are refused when anything in them was changed', async () => {
    const fields = fieldsOf(tokens.encode({ revision: 7, startKey: 'b', left: 3, begunAtMs: 9 }, prefix));
    const { left: _left, ...withoutCount } = fields;
    const { begun: _begun, ...withoutTime } = fields;
    const { sig: _sig, ...unsigned } = fields;
    const changed = [
      { ...fields, rv: 8 },
      { ...fields, rv: -1 },
      { ...fields, start: 'a' },
      { ...fields, start: '../b' },
      { ...fields, left: 4 },
      { ...fields, left: '3' },
      withoutCount,
      { ...fields, begun: 10 },
      withoutTime,
      unsigned,
      { ...fields, sig: 5 },
      { ...fields, sig: '' },
      { ...fields, sig: `${String(fields.sig)}.` },
      { ...fields, sig: 'A'.repeat(22) },
    ];
    for (const token of changed) {
      await expectStatus(() => tokens.decode(encode(token), prefix), { code: 400, message: notOurs });
    }
  });

  it('go on with their own list only, at servers with their key only', async () => {
    const text = tokens.encode({ revision: 7, startKey: 'b' }, prefix);
    await expectStatus(() => tokens.decode(text, '/registry/pods/b/'), { code: 400, message: notOurs });
    await expectStatus(() => tokens.decode(text, '/registry/secrets/a/'), { code: 400, message: notOurs });
    const other = createContinueTokens({ metaGroup, key: Buffer.from('other') });
    await expectStatus(() => other.decode(text, prefix), { code: 400, message: notOurs });
    const same = createContinueTokens({ metaGroup, key: Buffer.from('secret') });
    expect(same.decode(text, prefix)).to.include({ revision: 7, startKey: 'b' });
  });

  it('are refused with 400 when they are anything else, without a crash', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          tokens.decode(text, prefix);
        } catch (error) {
          expect(error).to.be.instanceOf(StatusError);
          expect((error as StatusError).code).to.equal(400);
          return;
        }
        expect.fail(`${text} was taken for a token`);
      }),
    );
  });
});
