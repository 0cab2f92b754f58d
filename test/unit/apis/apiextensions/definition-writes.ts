import { qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const definitionWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apiextensions.orch.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.gd.example.org', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        group: 'gd.example.org',
        scope: 'Namespaced',
        names: {
          plural: 'gadgets',
          singular: 'gadget',
          kind: 'Gadget',
          listKind: 'GadgetList',
          shortNames: ['gg'],
          categories: ['all'],
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: 'a thing',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
                      names: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 4 },
                      mode: { type: 'string', enum: ['A', 'B'] },
                      port: { 'x-orch-int-or-string': true },
                      raw: { type: 'object', 'x-orch-preserve-unknown-fields': true },
                      opt: { type: 'string', nullable: true, format: 'date-time' },
                    },
                  },
                  status: {
                    type: 'object',
                    properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
                  },
                },
              },
            },
            subresources: {
              status: {},
              scale: {
                specReplicasPath: '.spec.size',
                statusReplicasPath: '.status.replicas',
                labelSelectorPath: '.status.selector',
              },
            },
            additionalPrinterColumns: [
              {
                name: 'Size',
                type: 'integer',
                format: 'int32',
                description: 'd',
                priority: 1,
                jsonPath: '.spec.size',
              },
            ],
          },
          { name: 'v1beta1', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
        conversion: { strategy: 'None' },
        preserveUnknownFields: false,
      },
    },
    accepted: [
      { '/spec/versions/0/schema/openAPIV3Schema/minimum': -1 },
      { '/spec/versions/0/deprecated': true },
      { '/spec/versions/1/served': undefined },
      { '/spec/versions/1/schema/openAPIV3Schema/items': 'x' },
      { '/spec/versions/1/schema/openAPIV3Schema/enum': [{ a: 1 }] },
      {
        '/spec/names': {
          plural: 'gadgets',
          singular: 'gadget',
          kind: 'Gadget',
          listKind: 'GadgetList',
          shortNames: ['gg'],
          categories: ['all'],
          noSuchField: { a: [1] },
        },
      },
      { '/spec/versions/1/schema/openAPIV3Schema/externalDocs': {} },
      { '/spec/versions/1/schema/openAPIV3Schema/minimum': 99999999999 },
      { '/spec/versions/0/schema/openAPIV3Schema/maximum': 0 },
      { '/spec/versions/1/schema/openAPIV3Schema/maxLength': 0 },
      { '/spec/versions/0/schema/openAPIV3Schema/pattern': 'a/b' },
      { '/spec/versions/0/subresources': {} },
      { '/spec/conversion/webhook': { noSuchField: { a: [1] } } },
      { '/spec/versions/0/additionalPrinterColumns/0/priority': -1 },
      { '/spec/versions/1/schema/openAPIV3Schema/allOf': [null] },
      { '/spec/versions/0/schema/openAPIV3Schema/x-orch-preserve-unknown-fields': true },
      { '/spec/versions/0/schema/openAPIV3Schema/title': 'Not_Valid!' },
      { '/spec/versions/0/schema/openAPIV3Schema/required/0': 'naïve' },
      { '/spec/versions/0/schema/openAPIV3Schema/example': 5 },
      { '/spec/versions/1/schema/openAPIV3Schema/minimum': 70000 },
      { '/spec/conversion': undefined },
      { '/spec/versions/1/schema/openAPIV3Schema/required': [''] },
      { '/spec/versions/1/schema/openAPIV3Schema/maxProperties': -1 },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          'x-orch-preserve-unknown-fields': true,
        },
      },
      { '/spec/versions/0/schema/openAPIV3Schema': { 'x-orch-preserve-unknown-fields': true } },
      { '/spec/versions/0/schema/openAPIV3Schema': { type: 'object' } },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          type: 'object',
          additionalProperties: false,
        },
      },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          type: 'array',
          items: { type: 'string' },
        },
      },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          type: 'string',
          enum: ['a', 'b'],
        },
      },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          type: 'object',
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
          properties: { a: { type: 'string' }, b: { type: 'string' } },
        },
      },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          'x-orch-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
        },
      },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          type: 'string',
          format: 'bogus',
        },
      },
      {
        '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
          type: 'object',
          required: ['z'],
          properties: { a: { type: 'string' } },
        },
      },
      {
        '/spec/conversion': {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { namespace: 'a', name: 'b' } },
          },
        },
      },
      { '/spec/names/kind': 'gadget' },
      { '/spec/versions/0/additionalPrinterColumns/0': { name: 'a', type: 'string', jsonPath: '.x[' } },
    ],
    refused: [
      [
        { '/metadata/name': 'Odd', '/metadata/annotations': { '/k': 'v' } },
        [
          `metadata.name: Invalid value: "Odd": ${subdomain1123}`,
          'metadata.name: Invalid value: "Odd": must be spec.names.plural+"."+spec.group',
          'metadata.annotations: Invalid value: "/k": prefix part must be non-empty',
        ],
      ],
      [
        { '/spec/names/listKind': ' lead' },
        [
          "spec.names.listKind: Invalid value: \" lead\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/versions/0/subresources/scale/labelSelectorPath': ' lead' },
        [
          'spec.versions[0].subresources.scale.labelSelectorPath: Invalid value: " lead": must be a simple json path starting with .',
        ],
      ],
      [
        { '/spec/versions/1/schema/openAPIV3Schema/$schema': 'a'.repeat(300) },
        [
          'spec.versions[1].schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported',
        ],
      ],
      [
        { '/spec/versions/0/subresources/scale/specReplicasPath': '-abc' },
        [
          'spec.versions[0].subresources.scale.specReplicasPath: Invalid value: "-abc": must be a simple json path starting with .',
        ],
      ],
      [
        { '/spec/versions/0/schema': {} },
        ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required'],
      ],
      [
        { '/spec/names/categories/0': '-abc' },
        [
          "spec.names.categories[0]: Invalid value: \"-abc\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/versions/0/name': 'a'.repeat(64) },
        [
          `spec.versions[0].name: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
          `spec.version: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
        ],
      ],
      [
        { '/spec/versions': null },
        [
          'spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion(nil): must have exactly one version marked as storage version',
          'status.storedVersions: Invalid value: []string(nil): must have at least one stored version',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/minProperties': -1 },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/allOf': [] },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/enum': [] },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/definitions': {} },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/additionalProperties': false },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
          'spec.versions[0].schema.openAPIV3Schema.additionalProperties: Forbidden: must not be used at the root',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/x-orch-map-type': '' },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.x-orch-map-type: Unsupported value: "": supported values: "atomic", "granular"',
        ],
      ],
      [
        { '/spec/versions/0/subresources/scale/statusReplicasPath': '-abc' },
        [
          'spec.versions[0].subresources.scale.statusReplicasPath: Invalid value: "-abc": must be a simple json path starting with .',
        ],
      ],
      [
        { '/spec/versions/0/additionalPrinterColumns/0/format': 'naïve' },
        [
          'spec.versions[0].additionalPrinterColumns[0].format: Invalid value: "naïve": must be one of byte,date,date-time,double,float,int32,int64,password',
        ],
      ],
      [
        { '/spec/versions/1/schema/openAPIV3Schema/id': 'naïve' },
        ['spec.versions[1].schema.openAPIV3Schema.id: Forbidden: id is not supported'],
      ],
      [
        { '/spec/versions/0/additionalPrinterColumns/0/name': null },
        ['spec.versions[0].additionalPrinterColumns[0].name: Required value'],
      ],
      [
        { '/spec/names/singular': 'naïve' },
        [
          "spec.names.singular: Invalid value: \"naïve\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/x-orch-map-type': 'a'.repeat(300) },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          `spec.versions[0].schema.openAPIV3Schema.x-orch-map-type: Unsupported value: "${'a'.repeat(300)}": supported values: "atomic", "granular"`,
        ],
      ],
      [
        { '/spec/names/shortNames': ['a b', ' '] },
        [
          "spec.names.shortNames[0]: Invalid value: \"a b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
          "spec.names.shortNames[1]: Invalid value: \" \": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/type': 'UpperCase' },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "UpperCase": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.type: Unsupported value: "UpperCase": supported values: "array", "boolean", "integer", "number", "object", "string"',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "UpperCase": must be object at the root',
        ],
      ],
      [
        { '/spec/scope': 'changed' },
        ['spec.scope: Unsupported value: "changed": supported values: "Cluster", "Namespaced"'],
      ],
      [
        { '/metadata/generateName': 'gadgets-' },
        ['metadata.generateName: Invalid value: "gadgets-": must be spec.names.plural+"."+spec.group'],
      ],
      [
        { '/spec': {} },
        [
          'metadata.name: Invalid value: "gadgets.gd.example.org": must be spec.names.plural+"."+spec.group',
          'spec.group: Required value',
          'spec.scope: Required value',
          'spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion(nil): must have exactly one version marked as storage version',
          'spec.names.plural: Required value',
          'spec.names.singular: Required value',
          'spec.names.kind: Required value',
          'spec.names.listKind: Required value',
          'status.storedVersions: Invalid value: []string(nil): must have at least one stored version',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/patternProperties': { [`${'a'.repeat(260)}/a`]: {} } },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.patternProperties: Forbidden: patternProperties is not supported',
        ],
      ],
      [
        { '/spec/versions/1/schema/openAPIV3Schema/type': 'Not_Valid!' },
        [
          'spec.versions[1].schema.openAPIV3Schema.type: Unsupported value: "Not_Valid!": supported values: "array", "boolean", "integer", "number", "object", "string"',
          'spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "Not_Valid!": must be object at the root',
        ],
      ],
      [
        { '/spec/versions/0/deprecationWarning': '../x' },
        [
          'spec.versions[0].deprecationWarning: Invalid value: "../x": can only be set for deprecated versions',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/id': 'sample' },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.id: Forbidden: id is not supported',
        ],
      ],
      [
        { '/spec/versions/0/name': 'a/b' },
        [
          "spec.versions[0].name: Invalid value: \"a/b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
          "spec.version: Invalid value: \"a/b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/dependencies': { ['a'.repeat(64)]: { a: 1 } } },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.dependencies: Forbidden: dependencies is not supported',
        ],
      ],
      [
        { '/spec/versions/1/schema/openAPIV3Schema/patternProperties': { 'bad key!': {} } },
        [
          'spec.versions[1].schema.openAPIV3Schema.patternProperties: Forbidden: patternProperties is not supported',
        ],
      ],
      [
        { '/spec/versions/1/schema/openAPIV3Schema/x-orch-map-type': 'changed' },
        [
          'spec.versions[1].schema.openAPIV3Schema.x-orch-map-type: Unsupported value: "changed": supported values: "atomic", "granular"',
        ],
      ],
      [
        { '/metadata/finalizers': [null] },
        [
          'metadata.finalizers: Invalid value: "": name part must be non-empty',
          `metadata.finalizers: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {} },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].type: Required value: must not be empty for specified object fields',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema': {
            type: 'object',
            additionalProperties: { type: 'string' },
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.additionalProperties: Forbidden: must not be used at the root',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema': { type: 'array' } },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.items: Required value: must be specified',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema': { type: 'array', items: { type: 'string' } } },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            items: [{ type: 'string' }],
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].items: Forbidden: items must be a schema object and not an array',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema': { type: 'array', items: [{ type: 'string' }] } },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.items: Forbidden: items must be a schema object and not an array',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema': { type: 'string', nullable: true } },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema': {
            type: 'array',
            items: { type: 'string' },
            uniqueItems: true,
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'string',
            not: { default: 'a' },
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].not.default: Forbidden: must be undefined to be structural',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            allOf: [{ properties: { a: { type: 'string' } } }],
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].allOf[0].properties[a].type: Forbidden: must be empty to be structural',
        ],
      ],
      [
        { '/spec/versions/0/schema/openAPIV3Schema': { type: 'object', 'x-orch-embedded-resource': true } },
        [
          'spec.versions[0].schema.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.properties: Required value: must not be empty if x-orch-embedded-resource is true without x-orch-preserve-unknown-fields',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            'x-orch-preserve-unknown-fields': false,
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].x-orch-preserve-unknown-fields: Invalid value: false: must be true or undefined',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            'x-orch-list-type': 'map',
            items: { type: 'object' },
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].x-orch-list-map-keys: Required value: must not be empty if x-orch-list-type is map',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema': {
            type: 'array',
            'x-orch-list-type': 'map',
            items: { type: 'object' },
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.x-orch-list-map-keys: Required value: must not be empty if x-orch-list-type is map',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            'x-orch-list-type': 'map',
            'x-orch-list-map-keys': ['k'],
            items: { type: 'object', properties: { k: { type: 'string' } } },
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].items.properties[k].default: Required value: this property is in x-orch-list-map-keys, so it must have a default or be a required property',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            'x-orch-list-type': 'atomic',
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].type: Invalid value: "object": must be array if x-orch-list-type is specified',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema': {
            type: 'array',
            'x-orch-list-map-keys': ['a'],
            items: { type: 'string' },
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.versions[0].schema.openAPIV3Schema.x-orch-list-type: Required value: must be map if x-orch-list-map-keys is non-empty',
          'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root',
        ],
      ],
      [
        {
          '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            items: { type: 'string' },
            'x-orch-map-type': 'atomic',
          },
        },
        [
          'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[z].type: Invalid value: "array": must be object if x-orch-map-type is specified',
        ],
      ],
      [
        { '/spec/group': 'Bad_Group' },
        [
          'metadata.name: Invalid value: "gadgets.gd.example.org": must be spec.names.plural+"."+spec.group',
          `spec.group: Invalid value: "Bad_Group": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/versions/0/storage': false },
        [
          'spec.versions: Invalid value: <any>: must have exactly one version marked as storage version',
          'status.storedVersions: Invalid value: []string(nil): must have at least one stored version',
        ],
      ],
      [
        { '/spec/versions/1/name': 'v1' },
        ['spec.versions: Invalid value: <any>: must contain unique version names'],
      ],
      [
        { '/spec/conversion': { strategy: 'Webhook' } },
        [
          'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
          'spec.conversion.conversionReviewVersions: Required value',
        ],
      ],
      [
        {
          '/spec/conversion': {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: [], clientConfig: { url: 'http://x' } },
          },
        },
        [
          'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
          'spec.conversion.conversionReviewVersions: Required value',
        ],
      ],
      [
        { '/spec/names/plural': 'Gadgets' },
        [
          'metadata.name: Invalid value: "gadgets.gd.example.org": must be spec.names.plural+"."+spec.group',
          "spec.names.plural: Invalid value: \"Gadgets\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/versions/0/deprecated': true, '/spec/versions/0/deprecationWarning': 'a'.repeat(300) },
        [
          `spec.versions[0].deprecationWarning: Invalid value: "${'a'.repeat(300)}": must be <= 256 characters long`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'apiextensions.orch.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gizmos.gd.example.org', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        group: 'gd.example.org',
        version: 'v1',
        scope: 'Cluster',
        names: { plural: 'gizmos', kind: 'Gizmo' },
        validation: {
          openAPIV3Schema: {
            type: 'object',
            description: 'a thing',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', minimum: 1, maximum: 10 },
                  names: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 4 },
                  mode: { type: 'string', enum: ['A', 'B'] },
                  port: { 'x-orch-int-or-string': true },
                  raw: { type: 'object', 'x-orch-preserve-unknown-fields': true },
                  opt: { type: 'string', nullable: true, format: 'date-time' },
                },
              },
              status: {
                type: 'object',
                properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
              },
            },
          },
        },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', JSONPath: '.spec.size' }],
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v2', served: true, storage: false },
        ],
        preserveUnknownFields: false,
      },
    },
    accepted: [
      { '/spec/validation/openAPIV3Schema/exclusiveMaximum': true },
      { '/spec/validation/openAPIV3Schema/format': '-abc' },
      { '/spec/names/categories': ['sample'] },
      { '/spec/validation/openAPIV3Schema/required/0': 'UpperCase' },
      { '/spec/versions/1/additionalPrinterColumns': [] },
      { '/spec/validation/openAPIV3Schema/description': '../x' },
      { '/spec/validation/openAPIV3Schema/required': ['Not_Valid!', '-x'] },
      { '/spec/validation/openAPIV3Schema/minLength': 2147483647 },
      { '/spec/validation/openAPIV3Schema/minimum': 0 },
      { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'bogus' } },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
          type: 'object',
          additionalProperties: { type: 'string' },
        },
      },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
          type: 'object',
          additionalProperties: true,
        },
      },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
          type: 'array',
          items: { type: 'string' },
        },
      },
      { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', default: null } },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', enum: ['a', 'b'] },
      },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', enum: ['a', 'a'] },
      },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
          'x-orch-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
        },
      },
      { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { 'x-orch-int-or-string': true } },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
          type: 'string',
          not: { enum: ['a'] },
        },
      },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
          type: 'object',
          properties: { a: { type: 'string' } },
          allOf: [{ properties: { a: { minLength: 1 } } }],
        },
      },
      { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', format: 'date' } },
      {
        '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', format: 'bogus' },
      },
    ],
    refused: [
      [{ '/spec/conversion': { noSuchField: { a: [1] } } }, ['spec.conversion.strategy: Required value']],
      [
        { '/spec/validation/openAPIV3Schema/id': 'naïve' },
        [
          'spec.validation.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.validation.openAPIV3Schema.id: Forbidden: id is not supported',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/patternProperties': { 'bad key!': {} } },
        [
          'spec.validation.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.validation.openAPIV3Schema.patternProperties: Forbidden: patternProperties is not supported',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/type': 'changed' },
        [
          'spec.validation.openAPIV3Schema.type: Invalid value: "changed": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
          'spec.validation.openAPIV3Schema.type: Invalid value: "changed": must be object at the root',
        ],
      ],
      [
        { '/spec/names/kind': 'a/b' },
        [
          "spec.names.singular: Invalid value: \"a/b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
          "spec.names.kind: Invalid value: \"a/b\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
          "spec.names.listKind: Invalid value: \"a/bList\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/not': {} },
        [
          'spec.validation.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
        ],
      ],
      [
        { '/spec/versions/0/name': 'a'.repeat(253) },
        [
          `spec.versions[0].name: Invalid value: "${'a'.repeat(253)}": must be no more than 63 characters`,
          'spec.version: Invalid value: "v1": must match the first version in spec.versions',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/nullable': true },
        [
          'spec.validation.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root',
        ],
      ],
      [
        { '/metadata/name': '../x' },
        [
          `metadata.name: Invalid value: "../x": ${subdomain1123}`,
          'metadata.name: Invalid value: "../x": must be spec.names.plural+"."+spec.group',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/dependencies': { 'bad key!': { a: 1 } } },
        [
          'spec.validation.openAPIV3Schema: Invalid value: <any>: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields] fields are allowed at the root of the schema if the status subresource is enabled',
          'spec.validation.openAPIV3Schema.dependencies: Forbidden: dependencies is not supported',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            properties: { a: { type: 'string' } },
            additionalProperties: { type: 'string' },
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'array' } },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].items: Required value: must be specified',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            items: [{ type: 'string' }],
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].items: Forbidden: items must be a schema object and not an array',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { $ref: '#/x' } },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].$ref: Forbidden: $ref is not supported',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            allOf: [{ properties: { a: { type: 'string' } } }],
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].allOf[0].properties[a].type: Forbidden: must be empty to be structural',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            'x-orch-embedded-resource': true,
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].properties: Required value: must not be empty if x-orch-embedded-resource is true without x-orch-preserve-unknown-fields',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            'x-orch-preserve-unknown-fields': false,
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].x-orch-preserve-unknown-fields: Invalid value: false: must be true or undefined',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            'x-orch-list-type': 'map',
            'x-orch-list-map-keys': ['k'],
            items: { type: 'object', properties: { k: { type: 'string' } } },
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].items.properties[k].default: Required value: this property is in x-orch-list-map-keys, so it must have a default or be a required property',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            'x-orch-list-type': 'bogus',
            items: { type: 'string' },
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].x-orch-list-type: Unsupported value: "bogus": supported values: "atomic", "set", "map"',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            'x-orch-list-type': 'atomic',
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].type: Invalid value: "object": must be array if x-orch-list-type is specified',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            'x-orch-map-type': 'bogus',
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].x-orch-map-type: Unsupported value: "bogus": supported values: "atomic", "granular"',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            items: { type: 'string' },
            'x-orch-map-type': 'atomic',
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].type: Invalid value: "array": must be object if x-orch-map-type is specified',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', id: 'x' } },
        ['spec.validation.openAPIV3Schema.properties[spec].properties[z].id: Forbidden: id is not supported'],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            patternProperties: { a: { type: 'string' } },
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].patternProperties: Forbidden: patternProperties is not supported',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'array',
            items: { type: 'string' },
            additionalItems: true,
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].additionalItems: Forbidden: additionalItems is not supported',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            dependencies: {},
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].dependencies: Forbidden: dependencies is not supported',
        ],
      ],
      [
        { '/spec/validation/openAPIV3Schema/properties/spec/properties/z': { type: 'string', $ref: '' } },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].$ref: Forbidden: $ref is not supported',
        ],
      ],
      [
        {
          '/spec/validation/openAPIV3Schema/properties/spec/properties/z': {
            type: 'object',
            patternProperties: { a: { type: 'foo', id: 'x' } },
          },
        },
        [
          'spec.validation.openAPIV3Schema.properties[spec].properties[z].patternProperties: Forbidden: patternProperties is not supported',
        ],
      ],
    ],
  },
];
