import { expect } from 'chai';
import {
  type ConversionBatch,
  ConversionError,
  readConversionReview,
  writeConversionReview,
} from '../../../../src/apis/apiextensions/index.ts';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';

const catalog = createTypeCatalog(orchDialect);
const group = 'example.com';
const original: ApiObject & { readonly spec: object } = {
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '7', generation: 2, labels: { l: 'm' } },
  spec: { size: 1 },
};
const batchOf = (reviewVersion: 'v1' | 'v1beta1', more: Partial<ConversionBatch> = {}): ConversionBatch => ({
  dialect: orchDialect,
  reviewVersion,
  uid: 'review',
  from: { group, version: 'v1', kind: 'Thing' },
  desiredApiVersion: `${group}/v2`,
  objects: [original],
  ...more,
});
const converted = { ...original, apiVersion: `${group}/v2`, spec: { length: 1 } };
const metadataOf = (more: object) => ({ ...converted, metadata: { ...original.metadata, ...more } });
/** The answer of a webhook, of which parts are replaced. */
const answer = (response: object = {}, envelope: object = {}): string =>
  JSON.stringify({
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.orch.io/v1',
    response: { uid: 'review', convertedObjects: [converted], result: { status: 'Success' }, ...response },
    ...envelope,
  });
const read = (text: string, batch = batchOf('v1')) => readConversionReview(Buffer.from(text), batch, catalog);

describe('reviews of conversions', () => {
  it('are written as the release sends them', () => {
    // Members by name, those of metadata too.
    const { apiVersion, kind, metadata, spec } = original;
    const { name, namespace, uid, resourceVersion, generation, labels } = metadata;
    const sorted = { generation, labels, name, namespace, resourceVersion, uid };
    expect(writeConversionReview(batchOf('v1beta1'))).to.equal(
      JSON.stringify({
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.orch.io/v1beta1',
        request: {
          uid: 'review',
          desiredAPIVersion: `${group}/v2`,
          objects: [{ apiVersion, kind, metadata: sorted, spec }],
        },
        response: { uid: '', convertedObjects: null, result: { metadata: {} } },
      }),
    );
  });

  it('give the objects with their own metadata', () => {
    expect(read(answer())).to.deep.equal([converted]);
  });

  it('may change labels and annotations, and nothing else of the metadata', () => {
    const changed = metadataOf({
      labels: { x: 'y' },
      annotations: { z: 'w' },
      finalizers: ['f'],
      generation: 77,
    });
    const { labels: _, ...kept } = original.metadata;
    expect(read(answer({ convertedObjects: [changed] }))).to.deep.equal([
      { ...converted, metadata: { ...kept, labels: { x: 'y' }, annotations: { z: 'w' } } },
    ]);
  });

  it('may take labels away', () => {
    const { labels: _, ...kept } = original.metadata;
    const bare = { ...converted, metadata: kept };
    expect(read(answer({ convertedObjects: [bare] }))).to.deep.equal([bare]);
  });

  it('need no uid in v1beta1', () => {
    const text = answer({ uid: 'other' }, { apiVersion: 'apiextensions.orch.io/v1beta1' });
    expect(read(text, batchOf('v1beta1'))).to.deep.equal([converted]);
  });

  it('need no kind in v1beta1', () => {
    const text = answer({}, { apiVersion: undefined, kind: undefined });
    expect(read(text, batchOf('v1beta1'))).to.deep.equal([converted]);
  });

  const head = 'conversion webhook for example.com/v1, Kind=Thing';
  const refused: readonly (readonly [what: string, text: string, message: string])[] = [
    [
      'no JSON',
      'hello',
      `failed: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ],
    [
      'half an answer',
      '{"kind":',
      "failed: couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    [
      'no kind',
      answer({}, { kind: undefined, apiVersion: undefined }),
      'failed: expected webhook response of apiextensions.orch.io/v1, Kind=ConversionReview, got /, Kind=',
    ],
    [
      'another version of reviews',
      answer({}, { apiVersion: 'apiextensions.orch.io/v7' }),
      `failed: no kind "ConversionReview" is registered for version "apiextensions.orch.io/v7" in scheme "orch.io/apiserver/pkg/util/webhook/client.go:71"`,
    ],
    [
      'a kind of another group',
      answer({}, { apiVersion: 'v1', kind: 'Pod' }),
      'failed: no kind "Pod" is registered for version "v1" in scheme "orch.io/apiserver/pkg/util/webhook/client.go:71"',
    ],
    [
      'a status',
      answer({}, { apiVersion: 'v1', kind: 'Status' }),
      'failed: converting (v1.Status) to (v1.ConversionReview): unknown conversion',
    ],
    ['no response', answer({}, { response: undefined }), 'failed: no response provided'],
    ['another uid', answer({ uid: 'other' }), 'failed: expected response.uid="review", got "other"'],
    [
      'a failure with a message',
      answer({ result: { status: 'Failure', message: 'cannot convert' } }),
      'failed: cannot convert',
    ],
    [
      'a bare failure',
      answer({ result: { status: 'Failure' } }),
      "failed: response.result.status was 'Failure', not 'Success'",
    ],
    ['no result', answer({ result: {} }), "failed: response.result.status was '', not 'Success'"],
    ['no objects', answer({ convertedObjects: [] }), 'returned 0 objects, expected 1'],
    ['more objects', answer({ convertedObjects: [converted, converted] }), 'returned 2 objects, expected 1'],
    [
      'the same version',
      answer({ convertedObjects: [original] }),
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)',
    ],
    [
      'another kind',
      answer({ convertedObjects: [{ ...converted, kind: 'Other' }] }),
      'returned invalid object at index 0: invalid kind (expected Thing, received Other)',
    ],
    [
      'another name',
      answer({ convertedObjects: [metadataOf({ name: 'renamed' })] }),
      'returned invalid object: must have the same name: a != renamed',
    ],
    [
      'another namespace',
      answer({ convertedObjects: [metadataOf({ namespace: 'default' })] }),
      'returned invalid object: must have the same namespace: b != default',
    ],
    [
      'another object',
      answer({ convertedObjects: [metadataOf({ uid: 'v' })] }),
      'returned invalid object: must have the same UID: u != v',
    ],
    [
      'metadata that is none',
      answer({ convertedObjects: [{ ...converted, metadata: 'text' }] }),
      'returned invalid object: must have the same name: a != ',
    ],
    ...(
      [
        [{ labels: 'x' }, 'invalid metadata.labels of type string'],
        [{ annotations: [1] }, 'invalid metadata.annotations of type []interface {}'],
        [{ labels: { x: 1 } }, 'metadata.labels[x] must be a string, but is int64'],
        [{ annotations: { x: 0.5 } }, 'metadata.annotations[x] must be a string, but is float64'],
        [{ labels: { x: null } }, 'metadata.labels[x] must be a string, but is <nil>'],
      ] as const
    ).map(([metadata, problem]): readonly [what: string, text: string, message: string] => [
      `metadata of ${JSON.stringify(metadata)}`,
      answer({ convertedObjects: [metadataOf(metadata)] }),
      `returned invalid metadata: ${problem} in converted object`,
    ]),
    [
      'a bad label',
      answer({ convertedObjects: [metadataOf({ labels: { '-bad-': 'y' }, annotations: { '-': 'y' } })] }),
      'returned invalid metadata: metadata.labels: Invalid value: "-bad-": name part must consist of',
    ],
    [
      'a bad annotation',
      answer({ convertedObjects: [metadataOf({ annotations: { '-bad-': 'y' } })] }),
      'returned invalid metadata: metadata.annotation: Invalid value: "-bad-": name part must consist of',
    ],
  ];
  const unread: readonly (readonly [value: unknown, message: string])[] = [
    [null, 'EOF'],
    [5, 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
    [[], 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [{}, "Object 'Kind' is missing in '{}'"],
    [{ apiVersion: 'a/b/c', kind: 'K' }, `Object 'Kind' is missing in '{"apiVersion":"a/b/c","kind":"K"}'`],
  ];
  for (const [value, message] of unread) {
    it(`are refused with ${JSON.stringify(value)} for one`, () => {
      const text = answer({ convertedObjects: [value] });
      expect(() => read(text))
        .to.throw(ConversionError)
        .with.property('message', message);
    });
  }

  for (const [what, text, message] of refused) {
    it(`are refused with ${what}`, () => {
      expect(() => read(text)).to.throw(ConversionError, `${head} ${message}`);
    });
  }

  it('may leave bad labels as they were', () => {
    const labels = { '-bad-': 'y' };
    const object = { ...original, metadata: { ...original.metadata, labels } };
    const bad = metadataOf({ labels });
    const batch = batchOf('v1', { objects: [object] });
    expect(read(answer({ convertedObjects: [bad] }), batch)).to.deep.equal([bad]);
  });
});
