import { expect } from 'chai';
import { createTypeFinder } from '../../../../src/ctl/changes/built-in-type.ts';
import { createEditPatch } from '../../../../src/ctl/edit/create-edit-patch.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const findType = createTypeFinder(orchDialect);
const object = (apiVersion: string, kind: string, more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...more,
});

describe('createEditPatch', () => {
  const list = (...images: readonly string[]) => ({
    spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })) },
  });

  it('merges lists of built-in kinds by their keys', async () => {
    const original = object('v1', 'Pod', list('x', 'y'));
    const edited = object('v1', 'Pod', list('x', 'z'));
    expect(await createEditPatch({ findType, original, edited })).to.deep.equal({
      contentType: 'application/strategic-merge-patch+json',
      body: {
        spec: {
          '$setElementOrder/containers': [{ name: 'c0' }, { name: 'c1' }],
          containers: [{ name: 'c1', image: 'z' }],
        },
      },
    });
  });

  it('replaces lists of other kinds as a whole, and removes by null', async () => {
    const original = object('example.org/v1', 'Thing', { ...list('x', 'y'), old: 1 });
    const edited = object('example.org/v1', 'Thing', list('x', 'z'));
    expect(await createEditPatch({ findType, original, edited })).to.deep.equal({
      contentType: 'application/merge-patch+json',
      body: { ...list('x', 'z'), old: null },
    });
  });

  for (const edited of [
    object('v2', 'Pod'),
    object('v1', 'Node'),
    { ...object('v1', 'Pod'), metadata: { name: 'b' } },
  ]) {
    it(`refuses that a Pod becomes ${JSON.stringify(edited)}`, async () => {
      const failure = await createEditPatch({ findType, original: object('v1', 'Pod'), edited }).catch(
        (error: unknown) => error,
      );
      expect(String(failure)).to.include('At least one of apiVersion, kind and name was changed');
    });
  }
});
