import { expect } from 'chai';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import { explainConversion } from '../../../../../src/machinery/patch/strategic/index.ts';
import { DecodeError } from '../../../../../src/machinery/schema/index.ts';

const catalog = createTypeCatalog(orchDialect);

describe('explainConversion', () => {
  const cases: [type: string, value: unknown, wanted: string][] = [
    ['v1.ConfigMap', { data: { a: 1 } }, 'cannot convert int64 to string'],
    ['v1.ConfigMap', { data: { a: true } }, 'unrecognized type: string'],
    ['v1.ConfigMap', { data: 'x' }, 'cannot restore map from string'],
    ['v1.ConfigMap', { metadata: [] }, 'cannot restore struct from: slice'],
    ['v1.ConfigMap', { immutable: 'yes' }, 'unrecognized type: bool'],
    ['v1.Pod', { spec: { containers: {} } }, 'cannot restore slice from map'],
    ['v1.Pod', { spec: { containers: [{ tty: 1 }] } }, 'unrecognized type: bool'],
    ['apps/v1.Deployment', { spec: { replicas: 'x' } }, 'unrecognized type: int32'],
    ['apps/v1.Deployment', { spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
    ['v1.Secret', { data: { a: '*' } }, 'error decoding from json: illegal base64 data at input byte 0'],
    [
      'v1.ConfigMap',
      { metadata: { labels: { a: 1 }, creationTimestamp: '' } },
      'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"',
    ],
    ['v1.Container', { imagePullPolicy: 7 }, 'cannot convert int64 to v1.PullPolicy'],
    ['v1.ObjectReference', { uid: 7 }, 'cannot convert int64 to types.UID'],
    [
      'v1.PersistentVolumeSpec',
      { accessModes: [1] },
      'cannot convert int64 to v1.PersistentVolumeAccessMode',
    ],
    [
      'certificates.orch.io/v1.CertificateSigningRequestSpec',
      { extra: { a: [1] } },
      'cannot convert int64 to string',
    ],
    [
      'v1.Container',
      { resources: { limits: { cpu: 'x' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ];
  for (const [typeName, value, wanted] of cases) {
    it(`${typeName} ${JSON.stringify(value)}: ${wanted}`, () => {
      const type = catalog.type(typeName);
      let decodeMessage = '';
      try {
        type.decode(value);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        decodeMessage = error.message;
      }
      expect(decodeMessage, 'the decoder refuses it too').not.to.equal('');
      expect(explainConversion({ value, type, catalog, decodeMessage })).to.equal(wanted);
    });
  }
});
