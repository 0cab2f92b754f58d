import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { expired } from '../../../../src/machinery/errors/index.ts';
import type { StoredEndpoint } from '../../../../src/server/handlers/endpoint.ts';
import { ProtobufFrames } from '../../../../src/server/handlers/protobuf-frames.ts';
import { frameEncoder } from '../../../../src/server/handlers/watch-frames.ts';
import { WatchEvent } from '../../../../src/storage/watch-cache/change.ts';
import type { CachedObject } from '../../../../src/storage/watch-cache/index.ts';
import { encodings } from '../../../support/encodings.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { libraryType } from '../../../support/protobuf-library.ts';
import { readFrames } from '../../../support/wire-envelope.ts';

const { negotiator, protobuf } = encodings;
const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const endpoint = {
  served: {
    kind,
    type: createTypeCatalog(orchDialect).kind(kind),
    conversion: undefined,
    store: { storageKind: kind },
  },
  context: {
    dialect: orchDialect,
    protobuf,
    protobufFrames: new ProtobufFrames(protobuf),
    metaGroup: 'meta.orch.io',
  },
} as unknown as StoredEndpoint; // nothing else of it is read

const encoderOf = (accept: string) =>
  frameEncoder(makeExchange(), endpoint, negotiator.streamOf(negotiator.choose(accept)));
const binary = encoderOf(orchDialect.protobufMediaType);
const frameOf = (bytes: Buffer) => {
  const frames = readFrames(bytes);
  expect(frames).to.have.length(1);
  const [{ type, object } = { type: '', object: { kind: '', apiVersion: '', raw: Buffer.alloc(0) } }] =
    frames;
  return { type, kind: object.kind, apiVersion: object.apiVersion, raw: object.raw };
};
const added = (): WatchEvent => {
  const bytes = Buffer.from('{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"}}');
  return new WatchEvent('ADDED', { bytes } as unknown as CachedObject, 1); // nothing else of it is read
};

describe('frameEncoder', () => {
  it('makes a frame of an event once, whatever the number of watches', () => {
    const event = added();
    const first = binary.event(event);
    expect(encoderOf(orchDialect.protobufMediaType).event(event)).to.equal(first);
    const { type, kind: found, apiVersion, raw } = frameOf(first);
    expect([type, found, apiVersion]).to.deep.equal(['ADDED', 'Deployment', 'apps/v1']);
    expect(libraryType('apps/v1.Deployment').decode(raw).toJSON().metadata.name).to.equal('d');
  });

  it('keeps frames of different encodings and forms apart', () => {
    const event = added();
    const form = 'as=PartialObjectMetadata;g=meta.orch.io;v=v1';
    const accepts = [
      'application/json',
      `application/json;${form}`,
      `${orchDialect.protobufMediaType};${form}`,
    ];
    const texts = accepts.map((accept) => encoderOf(accept).event(event).toString('hex'));
    texts.push(binary.event(event).toString('hex'));
    expect(new Set(texts).size).to.equal(4);
  });

  it('tells of errors', () => {
    const { type, kind: found, apiVersion, raw } = frameOf(binary.error(expired('too old').status));
    expect([type, found, apiVersion]).to.deep.equal(['ERROR', 'Status', 'v1']);
    const status = libraryType('meta.orch.io/v1.Status').decode(raw).toJSON();
    expect([status.code, status.reason, status.message]).to.deep.equal([410, 'Expired', 'too old']);
  });

  it('makes bookmarks, and marks the one that ends the first state', () => {
    const metadataOf = (bytes: Buffer) => {
      const { type, kind: found, raw } = frameOf(bytes);
      expect([type, found]).to.deep.equal(['BOOKMARK', 'Deployment']);
      return libraryType('apps/v1.Deployment').decode(raw).toJSON().metadata;
    };
    expect(metadataOf(binary.bookmark(5)).resourceVersion).to.equal('5');
    expect(metadataOf(binary.bookmark(5)).annotations).to.equal(undefined);
    expect(metadataOf(binary.initialEnd(6)).annotations).to.deep.equal({
      [orchDialect.label('initial-events-end')]: 'true',
    });
  });
});
