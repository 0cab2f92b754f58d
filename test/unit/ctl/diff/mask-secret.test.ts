import { expect } from 'chai';
import { maskSecret } from '../../../../src/ctl/diff/mask-secret.ts';

const note = 'ctl.orch.io/last-applied-configuration';
const secret = (data: Record<string, string> | undefined, annotations?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', ...(annotations && { annotations }) },
  ...(data && { data }),
});

describe('maskSecret', () => {
  it('says of every value whether it differs, and nothing else', () => {
    const live = secret({ same: 'MQ==', changed: 'Mg==', removed: 'Mw==' });
    const merged = secret({ same: 'MQ==', changed: 'NA==', added: 'NQ==' });
    expect(maskSecret({ live, merged }, note)).to.deep.equal({
      live: secret({ same: '***', changed: '*** (before)', removed: '***' }),
      merged: secret({ same: '***', changed: '*** (after)', added: '***' }),
    });
  });

  it('masks a secret that is not there yet', () => {
    expect(maskSecret({ live: undefined, merged: secret({ a: 'MQ==' }) }, note)).to.deep.equal({
      live: undefined,
      merged: secret({ a: '***' }),
    });
  });

  it('masks the annotation that repeats the values and no other', () => {
    const { live, merged } = maskSecret(
      {
        live: secret(undefined, { [note]: 'MQ==', owner: 'me' }),
        merged: secret(undefined, { [note]: 'Mg==', owner: 'me' }),
      },
      note,
    );
    expect(live?.metadata.annotations).to.deep.equal({ [note]: '*** (before)', owner: 'me' });
    expect(merged?.metadata.annotations).to.deep.equal({ [note]: '*** (after)', owner: 'me' });
  });

  it('leaves other kinds as they are, and changes nothing given', () => {
    const map = { ...secret({ a: 'x' }), kind: 'ConfigMap' };
    expect(maskSecret({ live: map, merged: map }, note).merged).to.equal(map);
    const given = secret({ a: 'x' });
    maskSecret({ live: given, merged: secret({ a: 'y' }) }, note);
    expect(given).to.deep.equal(secret({ a: 'x' }));
  });
});
