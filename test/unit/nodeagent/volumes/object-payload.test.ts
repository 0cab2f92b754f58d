import { expect } from 'chai';
import { describe, it } from 'mocha';
import { configMapPayload, secretPayload } from '../../../../src/nodeagent/volumes/object-payload.ts';
import { checkPayload, type Payload } from '../../../../src/nodeagent/volumes/payload.ts';

const shown = (payload: Payload): string[] =>
  Array.from(
    payload,
    ([path, { content, mode }]) => `${path} ${mode.toString(8)} ${content.toString('latin1')}`,
  );

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
const all = { defaultMode: 0o644, isOptional: false };

describe('configMapPayload', () => {
  const object = { data: { a: 'A', b: 'B\n' }, binaryData: { c: base64('\xff\x00') } };

  it('makes a file of each entry', () => {
    expect(shown(configMapPayload(object, all))).to.deep.equal(['a 644 A', 'b 644 B\n', 'c 644 \xff\x00']);
  });

  it('makes files of the items only, at their paths and with their modes', () => {
    const items = [
      { key: 'a', path: 'one' },
      { key: 'b', path: 'sub/two', mode: 0o777 },
    ];
    const payload = configMapPayload(object, { items, defaultMode: 0o400, isOptional: false });
    expect(shown(payload)).to.deep.equal(['one 400 A', 'sub/two 777 B\n']);
  });

  it('refuses an item without an entry, unless it may be missing', () => {
    const items = [{ key: 'z', path: 'z' }];
    expect(() => configMapPayload(object, { ...all, items })).to.throw(
      'configmap references non-existent config key: z',
    );
    expect(configMapPayload(object, { ...all, items, isOptional: true }).size).to.equal(0);
  });

  it('is empty for no object', () => {
    expect(configMapPayload({}, { ...all, isOptional: true }).size).to.equal(0);
  });
});

describe('secretPayload', () => {
  it('decodes entries', () => {
    expect(shown(secretPayload({ data: { s: base64('S\x01') } }, all))).to.deep.equal(['s 644 S\x01']);
  });

  it('refuses an item without an entry', () => {
    const items = [{ key: 'tls.crt', path: 'crt' }];
    expect(() => secretPayload({}, { ...all, items })).to.throw(
      'references non-existent secret key: tls.crt',
    );
  });
});

describe('checkPayload', () => {
  const file = { content: Buffer.from(''), mode: 0o644 };

  for (const [path, problem] of [
    ['', 'invalid path: must not be empty: ""'],
    ['/a', 'invalid path: must be relative path: /a'],
    ['a/../../b', "invalid path: must not contain '..': a/../../b"],
    ['..data', "invalid path: must not start with '..': ..data"],
    ['x'.repeat(256), 'invalid path: filenames must be less than or equal to 255 characters'],
    ['a/'.repeat(2049), 'invalid path: must be less than or equal to 4096 characters'],
  ] as const) {
    it(`refuses ${JSON.stringify(path.slice(0, 20))}`, () => {
      expect(() => checkPayload(new Map([[path, file]]))).to.throw(problem);
    });
  }

  it('shortens paths', () => {
    expect([...checkPayload(new Map([['a//./b', file]])).keys()]).to.deep.equal(['a/b']);
  });
});
