import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import protobuf from 'protobufjs';
import { protobufEncoding } from '../../../../src/apis/openapi/index.ts';
import { encodeWhole, type Json, makeDocument, makeSources } from './support.ts';

const definitionFile = join(import.meta.dirname, 'openapi-v2.proto');

/** A decoded schema as JSON has it. */
function toSchema(decoded: Json): Json {
  const { _ref, items, properties, additionalProperties, type, vendorExtension = [], ...rest } = decoded;
  return {
    ...(_ref === undefined ? {} : { $ref: _ref }),
    ...rest,
    ...(type === undefined ? {} : { type: type.value[0] }),
    ...(items === undefined ? {} : { items: toSchema(items.schema[0]) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: toSchema(additionalProperties.schema) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            properties.additionalProperties.map(({ name, value }: Json) => [name, toSchema(value)]),
          ),
        }),
    ...toExtensions(vendorExtension),
  };
}

const toExtensions = (extensions: Json[]): Json =>
  Object.fromEntries(extensions.map(({ name, value }) => [name, JSON.parse(value.yaml)]));

function toParameter({ parameter }: Json): Json {
  const { bodyParameter: body, nonBodyParameter } = parameter;
  if (body !== undefined) return { ...body, schema: toSchema(body.schema) };
  return nonBodyParameter.queryParameterSubSchema ?? nonBodyParameter.pathParameterSubSchema;
}

function toOperation({ parameters = [], responses, vendorExtension, ...rest }: Json): Json {
  return {
    ...rest,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(toParameter) }),
    responses: Object.fromEntries(
      responses.responseCode.map(({ name, value: { response } }: Json) => [
        name,
        response.schema === undefined ? response : { ...response, schema: toSchema(response.schema.schema) },
      ]),
    ),
    ...toExtensions(vendorExtension ?? []),
  };
}

describe('protobufEncoding', () => {
  const root = protobuf.parse(readFileSync(definitionFile, 'utf8')).root;
  const type = root.lookupType('openapi.v2.Document');
  const bytes = encodeWhole(protobufEncoding, makeSources('orch'));
  // Members that are not set are left out, as in JSON.
  const decoded: Json = type.toObject(type.decode(bytes), { longs: Number });
  const document = makeDocument('orch');

  it('writes each definition as JSON has it', () => {
    const found = Object.fromEntries(
      decoded.definitions.additionalProperties.map(({ name, value }: Json) => [name, toSchema(value)]),
    );
    expect(found).to.deep.equal(document.definitions);
  });

  it('writes each path as JSON has it', () => {
    const found = Object.fromEntries(
      decoded.paths.path.map(({ name, value: { parameters = [], ...item } }: Json) => [
        name,
        {
          ...Object.fromEntries(Object.entries(item).map(([method, value]) => [method, toOperation(value)])),
          ...(parameters.length === 0 ? {} : { parameters: parameters.map(toParameter) }),
        },
      ]),
    );
    expect(found).to.deep.equal(document.paths);
  });

  it('writes the rest', () => {
    expect(decoded).to.deep.include({ swagger: '2.0', info: document.info });
    expect(decoded.security).to.deep.equal([{ additionalProperties: [{ name: 'BearerToken', value: {} }] }]);
    expect(decoded.securityDefinitions.additionalProperties[0].value.apiKeySecurity).to.deep.equal(
      document.securityDefinitions.BearerToken,
    );
  });
});
