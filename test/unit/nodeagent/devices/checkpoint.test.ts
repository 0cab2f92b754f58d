import { expect } from 'chai';
import fc from 'fast-check';
import {
  type DeviceCheckpoint,
  formatCheckpoint,
  parseCheckpoint,
} from '../../../../src/nodeagent/devices/index.ts';

const one: DeviceCheckpoint = {
  held: [
    {
      podUid: 'u',
      container: 'c',
      resource: 'vendor.com/card',
      idsByNode: new Map([
        [0, ['a']],
        [1, ['b', 'd']],
      ]),
      allocation: Buffer.from([10, 1, 255]),
    },
  ],
  registered: new Map([['vendor.com/card', ['a', 'b']]]),
};

describe('the checkpoint of devices', () => {
  it('has the form of the reference', () => {
    const text = formatCheckpoint(one);
    expect(JSON.parse(text)).to.deep.include({
      Data: {
        PodDeviceEntries: [
          {
            PodUID: 'u',
            ContainerName: 'c',
            ResourceName: 'vendor.com/card',
            DeviceIDs: { 0: ['a'], 1: ['b', 'd'] },
            AllocResp: 'CgH/',
          },
        ],
        RegisteredDevices: { 'vendor.com/card': ['a', 'b'] },
      },
    });
    expect(parseCheckpoint(text)).to.deep.equal(one);
  });

  it('says nothing of pods where none has devices', () => {
    const text = formatCheckpoint({ held: [], registered: new Map() });
    expect(text).to.match(/^\{"Data":\{"PodDeviceEntries":null,"RegisteredDevices":\{\}\},"Checksum":\d+\}$/);
    expect(parseCheckpoint(text)).to.deep.equal({ held: [], registered: new Map() });
  });

  it('is what was written, whatever that was', () => {
    const word = fc.string({ minLength: 1, maxLength: 8 });
    const held = fc.record({
      podUid: word,
      container: word,
      resource: word,
      idsByNode: fc
        .dictionary(fc.nat(8).map(String), fc.array(word, { minLength: 1 }))
        .map((map) => new Map(Object.entries(map).map(([node, ids]) => [Number(node), ids]))),
      allocation: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
    });
    const registered = fc
      .dictionary(
        word.filter((name) => name !== '__proto__'),
        fc.array(word),
      )
      .map((map) => new Map(Object.entries(map)));
    fc.assert(
      fc.property(fc.array(held), registered, (entries, resources) => {
        const checkpoint = { held: entries, registered: resources };
        const read = parseCheckpoint(formatCheckpoint(checkpoint));
        expect(read.held).to.deep.equal(entries);
        expect([...read.registered].sort()).to.deep.equal([...resources].sort());
      }),
    );
  });

  it('is read in the form of releases before, which know no NUMA nodes', () => {
    const Data = {
      PodDeviceEntries: [
        { PodUID: 'u', ContainerName: 'c', ResourceName: 'v.com/r', DeviceIDs: ['a', 'b'], AllocResp: '' },
      ],
      RegisteredDevices: {},
    };
    const { held } = parseCheckpoint(JSON.stringify({ Data, Checksum: 0 }));
    expect([...(held[0]?.idsByNode ?? [])]).to.deep.equal([[0, ['a', 'b']]]);
  });

  const broken: readonly (readonly [what: string, text: string])[] = [
    ['no JSON', '{'],
    ['no object', '[]'],
    ['another sum', formatCheckpoint(one).replace(/"Checksum":\d/, '"Checksum":9')],
    ['other ids', formatCheckpoint(one).replace('"b"', '"x"')],
    ['ids that are none', '{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{"a":[1]}},"Checksum":0}'],
    ['entries that are none', '{"Data":{"PodDeviceEntries":[{}],"RegisteredDevices":{}},"Checksum":0}'],
  ];
  for (const [what, text] of broken) {
    it(`is refused with ${what}`, () => expect(() => parseCheckpoint(text)).to.throw());
  }
});
